"""A library may be built with headers of a newer jaxlib than the one that loads it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import jax
import pytest

import generated
from opgen.build.frameworks import find_frameworks

PACKAGE = Path(generated.__file__).parent
HERE = find_frameworks().jax_ffi
CODE = """
import jax.numpy as jnp
try:
    from generated.jax import relu
    print(relu(jnp.ones(3)))
except ImportError as error:
    print(error)
"""


def built_with(tmp_path: Path, version: str | None) -> str:
    """Return the output of a package with libraries built for this version of XLA's FFI."""
    for part in ("_opgen", "core", "jax", "reference"):
        shutil.copytree(PACKAGE / part, tmp_path / "generated" / part)
    shutil.copy(PACKAGE / "__init__.py", tmp_path / "generated")
    lib = tmp_path / "generated" / "lib"
    lib.mkdir()
    for built in {*(PACKAGE / "lib").iterdir()} - {PACKAGE / "lib" / "BUILD.json"}:
        (lib / built.name).symlink_to(built)
    record = json.loads((PACKAGE / "lib" / "BUILD.json").read_text()) | {"ffi": version}
    (lib / "BUILD.json").write_text(json.dumps(record))
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_newer_one_is_refused_in_a_sentence(tmp_path):
    said = built_with(tmp_path, "0.99")
    assert f"(XLA's FFI 0.99) than the one that runs (jaxlib {jax.lib.__version__}, {HERE})" in said
    assert "run `opgen build` with the oldest jaxlib that is to load it" in said


@pytest.mark.parametrize("version", [HERE, "0.1", None])
def test_others_are_loaded(tmp_path, version):
    assert "[1. 1. 1.]" in built_with(tmp_path, version)


def test_the_version_is_in_the_record():
    built = json.loads((PACKAGE / "lib" / "BUILD.json").read_text())
    assert "ffi" in built and int(built["ffi"].split(".")[1]) >= 1
