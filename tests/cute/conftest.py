"""A project whose kernels are objects that CuTe DSL exported, and drivers that launch nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.build.cmake import build
from opgen.build.frameworks import Frameworks
from opgen.cli.main import main
from opgen.spec.config import Config

HERE = Path(__file__).parent
# The bytes of a tensor's struct: address, sizes, strides.
TENSORS = {"scaled_sm90": 8 + 2 * 8 + 8, "columns_sm90": 8 + 4}
COMPILE = [os.environ.get("CC") or "cc", "-O1", "-fPIC"]


def rendered(folder: Path) -> Path:
    """The project, rendered; its objects only have the ABI of those that the headers are of."""
    shutil.copytree(HERE / "project", folder)
    kernels = folder / "kernels" / "scaled"
    for name, size in TENSORS.items():
        (function,) = re.findall(r"void (\w+)\(void \*\*args", (kernels / f"{name}.h").read_text())
        names = [f"-DPREFIX={name}", f"-DFUNCTION={function}", f"-DTENSOR={size}"]
        source, object_ = HERE / "false_object.c", kernels / f"{name}.o"
        subprocess.run([*COMPILE, *names, "-c", str(source), "-o", str(object_)], check=True)
    shared(HERE / "false_runtime.c", kernels / "libcute_dsl_runtime.so")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["render", "specs"]) == 0
    return folder


def built(folder: Path) -> Path:
    """The library of kernels for GPUs of a rendered project."""
    config = Config(folder, package="cute_ops", namespace="cute_ops")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPGEN_CPU_LEVELS", "")
        libraries = build(config, folder / "cute_ops", frameworks=Frameworks(*[""] * 9))
    (library,) = (file for file in libraries if "_gpus-" in file.name)
    return library


def shared(source: Path, library: Path) -> Path:
    library.parent.mkdir(parents=True, exist_ok=True)
    command = [*COMPILE, "-shared", str(source), "-o", str(library)]
    subprocess.run([*command, f"-Wl,-soname,{library.name}"], check=True)
    return library.parent


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's folder."""
    return rendered(tmp_path_factory.mktemp("cute") / "project")


@pytest.fixture(scope="session")
def library(project: Path) -> Path:
    """The library of its kernels."""
    return built(project)


@pytest.fixture(scope="session")
def false_cuda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a libcuda.so.1 that writes what it is asked for."""
    folder = tmp_path_factory.mktemp("false_cuda")
    return shared(HERE.parent / "triton" / "false_cuda.c", folder / "libcuda.so.1")
