"""Fixtures: a project with Triton kernels, their library, and a driver that launches nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.bench.tune_command import table_text
from opgen.build.cmake import build
from opgen.build.frameworks import Frameworks
from opgen.cli.main import main
from opgen.compiler.pipeline import load
from opgen.spec.config import Config

HERE = Path(__file__).parent
NO_FRAMEWORKS = Frameworks(*[""] * 9)
ARCHS = "80;90"
HIP_ARCHS = "gfx942"


# The tuned values for a device of the fake driver, by minimum size.
CHOSEN = {100: {"BLOCK": 128, "num_warps": 2}, 1000: {"BLOCK": 64, "num_warps": 2}}


def write_table(folder: Path) -> None:
    """Write the table of tuned values for a device, like `opgen tune`."""
    config = Config(folder)
    specs = [folder / "specs" / "scaled.toml"]
    project, found, _ = load(specs, config)
    assert project is not None, found
    (kernel,) = project.op("halved").kernels
    rows = [
        {
            "threads": 1,
            "dtypes": {},
            "sizes": {"n": n},
            "values": values,
            "default_us": 2.0,
            "us": 1.0,
        }
        for n, values in CHOSEN.items()
    ]
    entry = {"signature": kernel.tune.signature, "rows": rows}
    (folder / "tuned").mkdir()
    text = table_text("False GPU 2", "cuda", {"halved": entry})
    (folder / "tuned" / "false-gpu-2.json").write_text(text)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Render and build the project for two GPUs; return its folder."""
    pytest.importorskip("triton", minversion="3.9")
    folder = tmp_path_factory.mktemp("triton") / "project"
    shutil.copytree(HERE / "project", folder)
    write_table(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("CUDAARCHS", ARCHS)
        patch.setenv("PYTORCH_ROCM_ARCH", HIP_ARCHS)
        assert main(["render", "specs"]) == 0
        config = Config(folder, package="scaled_ops", namespace="scaled_ops")
        build(config, folder / "scaled_ops", frameworks=NO_FRAMEWORKS)
    return folder


@pytest.fixture(scope="session")
def false_cuda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a fake libcuda.so.1 that records its calls."""
    return false_driver(tmp_path_factory.mktemp("false_cuda"), "false_cuda.c", "libcuda.so.1")


@pytest.fixture(scope="session")
def false_hip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a fake libamdhip64.so that records its calls."""
    return false_driver(tmp_path_factory.mktemp("false_hip"), "false_hip.c", "libamdhip64.so")


def false_driver(folder: Path, source: str, name: str) -> Path:
    command = [os.environ.get("CC") or "cc", "-O1", "-shared", "-fPIC", str(HERE / source)]
    subprocess.run([*command, "-o", str(folder / name), f"-Wl,-soname,{name}"], check=True)
    return folder
