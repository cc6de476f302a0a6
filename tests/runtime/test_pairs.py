"""Matrix products of bf16 by AMX and by vectors are exact, and so are products of f32 with bf16."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import pytest

from opgen.build.runtime_files import include_dir

HERE = Path(__file__).parent
FLAGS = "-std=c++17 -O2 -march=x86-64-v4 -ffp-contract=off -fopenmp-simd -Wall -Wextra -Werror"
ABSENT = 77

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="pairs are multiplied on x86 alone"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs"
    command = ["g++", *FLAGS.split(), f"-I{include_dir()}", str(HERE / "pairs.cpp"), "-o", path]
    subprocess.run(command, check=True)
    return path


@pytest.mark.parametrize(("how", "products"), [("amx", 880), ("vectors", 880), ("split", 90)])
def test_products_are_exact(program: Path, how: str, products: int) -> None:
    done = subprocess.run([program, how], capture_output=True, text=True)
    if done.returncode == ABSENT:
        pytest.skip(f"this processor has no {how} for pairs")
    assert (done.returncode, done.stdout) == (0, f"{products}\n")
