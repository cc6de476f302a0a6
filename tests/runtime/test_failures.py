"""C++ programs check that reports of kernels and failures of frameworks become the right errors."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from opgen.build.frameworks import find_frameworks
from opgen.build.runtime_files import runtime_dir

HERE = Path(__file__).parent
FLAGS = "-std=c++17 -O1 -Wall -Wextra -Werror -pthread -fvisibility=hidden"


@pytest.fixture
def passes(tmp_path: Path) -> Callable[..., None]:
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")

    def run(file: str, *flags: str) -> None:
        program = tmp_path / "program"
        command = [compiler, *FLAGS.split(), f"-I{runtime_dir()}/include", *flags]
        built = subprocess.run(
            [*command, str(HERE / file), "-o", str(program)], capture_output=True, text=True
        )
        assert built.returncode == 0, built.stderr[:4000]
        ran = subprocess.run([str(program)], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    return run


def test_what_kernels_report(passes: Callable[..., None]) -> None:
    passes("failures.cpp")


@pytest.mark.parametrize("words", [[], ["-DWITH_WORDS"]], ids=["2.12", "2.13"])
def test_what_torch_fails_to_do(passes: Callable[..., None], words: list[str]) -> None:
    places = find_frameworks()
    if not places.torch_include:
        pytest.skip("there is no torch")
    adapter = f"-I{runtime_dir()}/adapters/torch/include"
    version = "-DTORCH_TARGET_VERSION=0x020a000000000000ULL"
    passes("failures_torch.cpp", adapter, f"-isystem{places.torch_include}", version, *words)


def test_what_xla_has_no_memory_for(passes: Callable[..., None]) -> None:
    places = find_frameworks()
    if not places.jax_include:
        pytest.skip("there is no jax")
    adapter = f"-I{runtime_dir()}/adapters/jax/include"
    passes("failures_jax.cpp", adapter, f"-isystem{places.jax_include}")
