"""The libraries of the wheel opgen-runtime depend on no op, and rendered packages find them.

Such a library is called a unit. The units contain the parts of PyTorch's adapter that are the same
for all ops.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from opgen.build.runtime_files import runtime_dir
from opgen.cli.main import main
from opgen.runtime.core.units import UNITS

ROOT = Path(__file__).parents[2]
ADAPTERS = runtime_dir() / "adapters/torch"
# The value of `UNITS`, and the hash of the units' interface at that value.
AGREED = (1, "cc4345551835")
SAID = """
import os, sys, warnings
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    import torch
    import generated.torch as ops
x = torch.randn(3, 4).double().requires_grad_()
weight = torch.randn(4).double().requires_grad_()
assert torch.autograd.gradcheck(ops.rms_norm, (x, weight))
mapped = open("/proc/self/maps").read()
print([str(each.message) for each in found if "autograd library" in str(each.message)])
print(*sorted({os.path.basename(line.split()[-1]) for line in mapped.splitlines() if "_autograd-" in line or "_eager-" in line}))
"""


def test_the_interface_is_numbered() -> None:
    """A change of the units' interface requires a new number `UNITS`.

    A package finds the libraries of opgen-runtime by this number.
    """
    texts = [(ADAPTERS / name).read_text() for name in ("rule_parser.h", "include/opgen/direct.h")]
    for name in ("autograd.cpp", "eager.cpp"):
        texts += re.findall(r'^extern "C"[^{]*', (ADAPTERS / name).read_text(), re.M)
    found = hashlib.sha256("".join(texts).encode()).hexdigest()[:12]
    assert (
        UNITS,
        found,
    ) == AGREED, "raise UNITS in opgen/runtime/core/units.py, and write both here"


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the contents of the wheel.

    Its libraries use objects that `opgen build` has cached.
    """
    for name in ("scikit_build_core", "build", "auditwheel", "torch"):
        pytest.importorskip(name)
    folder = tmp_path_factory.mktemp("runtime")
    assert main(["package", "--runtime", "--out", str(folder)]) == 0
    (wheel,) = folder.glob("*.whl")
    version = ".".join(__import__("torch").__version__.split(".")[:2])
    tag = f"cp3{sys.version_info.minor}"
    assert re.match(rf"opgen_runtime-[\d.]+\+torch{version}-{tag}-{tag}-manylinux", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
        about = next(n for n in archive.namelist() if n.endswith("/METADATA"))
        assert f"Requires-Dist: torch=={version}.*" in archive.read(about).decode()
    return folder / "site"


@pytest.mark.slow
def test_a_package_finds_its_libraries(runtime: Path, tmp_path: Path) -> None:
    """A package without its own autograd libraries loads those of opgen-runtime.

    With `OPGEN_AUTOGRAD=python` it loads none.
    """
    package = tmp_path / "generated"
    package.mkdir()
    for part in {*(ROOT / "generated").iterdir()} - {ROOT / "generated/lib"}:
        (package / part.name).symlink_to(part)
    (package / "lib").mkdir()
    for library in (ROOT / "generated/lib").iterdir():
        if "_autograd-" not in library.name and "_eager-" not in library.name:
            (package / "lib" / library.name).symlink_to(library)

    def said(**variables: str) -> list[str]:
        environment = {k: v for k, v in os.environ.items() if k != "OPGEN_AUTOGRAD"} | variables
        done = subprocess.run(
            [sys.executable, "-c", SAID],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    without, mapped = said()
    assert "no autograd library for torch" in without and "opgen-runtime" in without
    assert mapped == ""
    quiet, mapped = said(PYTHONPATH=str(runtime))
    assert quiet == "[]"
    autograd, eager = mapped.split()
    assert autograd.startswith(f"libopgen_autograd-{UNITS}-") and eager.startswith(
        "libopgen_eager-"
    )
    assert said(PYTHONPATH=str(runtime), OPGEN_AUTOGRAD="python") == ["[]", ""]
