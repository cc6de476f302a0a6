"""Optional parts of opgen ("satellites") can be removed without effect on projects without them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import opgen

SOURCE = Path(opgen.__file__).parent
SATELLITES = (
    *("testing", "bench"),
    *(f"targets/{name}" for name in ("neuron", "tpu", "triton", "hip", "tvm_ffi")),
)
SPEC = """spec = 1
[dtypes]
T = ["f32", "bf16"]
[ops.scaled]
doc = "An op of a project that uses nothing else."
inputs.x = { dtype = "T", shape = "*s" }
attrs.by = { type = "float" }
outputs.y = { dtype = "T", shape = "*s" }
grad = "none"
sharding.split = ["s"]
kernels = ["cpu", "cuda"]
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of opgen. The environment's other packages are not copied."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(SOURCE, folder / "opgen", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(SOURCE.parent / "runtime/include", folder / "runtime/include")
    return folder


def without(
    copy: Path, satellite: str, folder: Path, spec: str
) -> subprocess.CompletedProcess[str]:
    """Lint and render a project with the copy of opgen, from which an optional part is removed."""
    (folder / "specs").mkdir()
    (folder / "specs/plain.toml").write_text(spec)
    code = (
        "import sys; from opgen.cli.main import main;"
        "sys.exit(main(['lint', 'specs']) or main(['render', 'specs', '--out', 'made']))"
    )
    away = (copy / "opgen" / satellite).rename(folder / "away")
    try:
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
        )
    finally:
        away.rename(copy / "opgen" / satellite)


@pytest.mark.parametrize("satellite", SATELLITES)
def test_a_plain_project_needs_no_satellite(satellite: str, copy: Path, tmp_path: Path) -> None:
    done = without(copy, satellite, tmp_path, SPEC)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "made/torch/_scaled.py").is_file()
    assert (tmp_path / "made/cpp/plain_jax.cpp").is_file()


def test_a_kernel_of_a_missing_satellite_is_refused(copy: Path, tmp_path: Path) -> None:
    spec = SPEC.replace(
        '["cpu", "cuda"]', '[{ on = "cuda", triton = { function = "a/b.py:f" }, grid = [1] }]'
    )
    done = without(copy, "targets/triton", tmp_path, spec)
    assert done.returncode == 1 and "no target here knows kernels with `triton`" in done.stdout
