"""A project whose kernels are in Triton, its library of kernels, and a driver that launches nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.build.cmake import build
from opgen.build.frameworks import Frameworks
from opgen.cli.main import main
from opgen.spec.config import Config

HERE = Path(__file__).parent
NO_FRAMEWORKS = Frameworks(*[""] * 9)
ARCHS = "80;90"


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's folder, rendered and built there for two GPUs."""
    pytest.importorskip("triton", minversion="3.9")
    folder = tmp_path_factory.mktemp("triton") / "project"
    shutil.copytree(HERE / "project", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("CUDAARCHS", ARCHS)
        assert main(["render", "specs"]) == 0
        config = Config(folder, package="scaled_ops", namespace="scaled_ops")
        build(config, folder / "scaled_ops", frameworks=NO_FRAMEWORKS)
    return folder


@pytest.fixture(scope="session")
def false_cuda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a libcuda.so.1 that writes what it is asked for."""
    folder = tmp_path_factory.mktemp("false_cuda")
    library = folder / "libcuda.so.1"
    command = [os.environ.get("CC") or "cc", "-O1", "-shared", "-fPIC", str(HERE / "false_cuda.c")]
    subprocess.run([*command, "-o", str(library), "-Wl,-soname,libcuda.so.1"], check=True)
    return folder
