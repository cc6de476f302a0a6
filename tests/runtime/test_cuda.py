"""The CUDA kernels compile, and on a GPU they give the results of the CPU kernels.

Without a GPU every call must return the status of a failed launch.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.build.runtime_files import include_dir
from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.spec.config import load_config

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).parent / "cuda.cu"
FAMILIES = ("relu", "tensor_add", "tensor_negate")


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no CUDA compiler")
def test_cuda_kernels(tmp_path: Path) -> None:
    config, _, _ = load_config(ROOT)
    specs = [config.specs_dir / f"{family}.toml" for family in FAMILIES]
    project, found, _ = load(specs, config)
    assert project is not None, found
    for file in render(project, ["cpp"]):
        path = tmp_path / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    sources = [f"cpp/{f}_{p}" for f in FAMILIES for p in ("cpu.cpp", "cuda.cu")]
    command = ["nvcc", "-std=c++17", "-O1", "-arch=sm_80", "-Xcompiler=-ffp-contract=off"]
    command += [f"-I{include_dir()}", "-Icpp", f"-I{config.kernels_dir}"]
    built = subprocess.run(
        [*command, str(DRIVER), *sources, "-o", "driver"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr[:4000]
    ran = subprocess.run([str(tmp_path / "driver")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[:4000]
    agreed, refused = map(int, re.findall(r"\d+", ran.stdout))
    # Calls with empty tensors need no GPU. All others agree on a GPU, or are refused without one.
    assert agreed >= 48 and agreed + refused >= 480
    assert refused == 0 or agreed == 48
