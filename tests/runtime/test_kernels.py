"""The kernels keep to their memory, and give the same bits whatever the number of threads."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.config import load_config
from opgen.pipeline import load
from opgen.render import render
from opgen.runtime import include_dir

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).parent / "kernels.cpp"
COMMON = "-std=c++17 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off -pthread"  # fmt: skip
BUILDS = {
    "sanitized": "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all",
    "optimised": "-O3",
}


def compiled(folder: Path, flags: str) -> Path:
    """The driver with the kernels of this repository."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    config, _, _ = load_config(ROOT)
    project, found, _ = load(sorted(config.specs_dir.glob("*.toml")), config)
    assert project is not None, found
    for file in render(project, ["cpp"]):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    families = ("relu", "rms_norm", "tensor_add", "tensor_negate")
    sources = [f"cpp/{family}_cpu.cpp" for family in families]
    includes = [f"-I{include_dir()}", "-Icpp", f"-I{config.kernels_dir}"]
    command = [compiler, *COMMON.split(), *flags.split(), *includes, str(DRIVER)]
    built = subprocess.run(
        [*command, *sources, "-o", "driver"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr[:4000]
    return folder / "driver"


@pytest.mark.parametrize("build", BUILDS)
def test_kernels(build: str, tmp_path: Path) -> None:
    driver = compiled(tmp_path, BUILDS[build])
    results = []
    for threads in (1, 2, 5):
        ran = subprocess.run(
            [str(driver), str(threads)], capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr[:4000]
        results.append(ran.stdout.splitlines())
    assert len(results[0]) > 1000
    assert all(line.split()[1] == "0" for line in results[0])  # every status is ok
    assert results[0] == results[1] == results[2]
