"""CUDA kernels that run on the CPU, on an emulated CUDA runtime, give the results of references.

The emulation tests results. It tests neither the speed of kernels nor data races on a GPU.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from opgen.build.runtime_files import include_dir

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "generated"
KERNELS = ROOT / "runtime" / "kernels"
EMULATION = Path(__file__).parent / "cuda_emulation"
CHECKS = ROOT / "tests" / "gpu" / "test_kernels.py"
COMPILE = "-std=c++17 -O1 -fPIC -fvisibility=hidden -fopenmp-simd -ffp-contract=off"
# Abort at a misaligned read, or a read past the end of an array with a known size.
TRAPS = "-fsanitize=alignment,bounds -fsanitize-undefined-trap-on-error"
# Gives a kernel its workspace, full of NaN. The adapters allocate a workspace only on a GPU.
WITH_WORKSPACE = """
#include <vector>

namespace generated {{

extern "C" opgen::Status {name}_cpu(const {args}* args) noexcept {{
  std::vector<char> memory({name}_cuda_workspace(args->desc, {{}}), -1);
  opgen::Context ctx = *args->ctx;
  ctx.workspace = memory.data();
  {args} given = *args;
  given.ctx = &ctx;
  return {name}_emulated(&given);
}}

}}  // namespace generated
"""


def emulated(folder: Path) -> Path:
    """Return a copy of the rendered package in which calls on the CPU run the CUDA kernels."""
    package = folder / "generated"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("glibc-hwcaps", "__pycache__"))
    found = [*(package / "cpp").glob("*_cpu.cpp"), *(package / "cpp").glob("*_cuda.cu")]
    families = sorted({path.stem.rpartition("_")[0] for path in found})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda name: compiled(package, name), families))
    record = json.loads((package / "lib" / "BUILD.json").read_text())
    built = (Path(name).name for name in record["libraries"])
    library = next(name for name in built if re.match(r"lib\w+_kernels-", name))
    place = package / "lib" / library
    place.unlink(missing_ok=True)
    link = ["c++", "-shared", *map(str, objects), f"-Wl,-soname,{library}"]
    run([*link, "-o", str(place)])
    return package


def compiled(package: Path, family: str) -> Path:
    """Compile the kernels of a family, and return the object file.

    CUDA kernels are compiled by the host compiler, under the symbol names of the CPU kernels.
    """
    command = ["c++", *COMPILE.split(), f"-I{package / 'cpp'}"]
    command += [f"-I{include_dir()}", f"-I{KERNELS}"]
    source = package / "cpp" / f"{family}_cuda.cu"
    if source.is_file():
        text = source.read_text()
        sized = {name for name in entries(source) if f"{name}_cuda_workspace(" in text}
        for name in entries(source):
            command.append(f"-D{name}_cuda={name}_{'emulated' if name in sized else 'cpu'}")
        command += [*TRAPS.split(), f"-I{EMULATION}", "-x", "c++"]
        shims = [WITH_WORKSPACE.format(name=name, args=entries(source)[name]) for name in sized]
        source = package.parent / f"{family}.cpp"
        source.write_text("\n".join([f'#include "{family}_cuda.cu"', *sorted(shims)]))
    else:
        source = source.with_name(f"{family}_cpu.cpp")
    out = package.parent / f"{family}.o"
    run([*command, "-c", str(source), "-o", str(out)])
    return out


def entries(source: Path) -> dict[str, str]:
    """Return the argument type of each function `<kernel>_cuda` in a rendered file, by kernel."""
    return dict(re.findall(r"\b(\w+)_cuda\(\s*const (\w+)\*", source.read_text()))


def run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
def test_emulated_sorting(tmp_path: Path) -> None:
    """The emulated sort gives the order of `std::stable_sort`, with NaNs last."""
    program = tmp_path / "sort"
    command = ["c++", *COMPILE.split(), *TRAPS.split(), f"-I{EMULATION}", f"-I{include_dir()}"]
    run([*command, str(Path(__file__).with_name("cuda_sort.cpp")), "-o", str(program)])
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
@pytest.mark.skipif(
    not (PACKAGE / "lib" / "BUILD.json").is_file(), reason="generated/ is not built"
)
def test_emulated_kernels(tmp_path: Path) -> None:
    package = emulated(tmp_path)
    given = {
        **os.environ,
        "OPGEN_KERNELS_ON": "cpu",
        "OPGEN_PACKAGE": str(package),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }
    command = [sys.executable, "-m", "pytest", "-o", "addopts=-q --import-mode=importlib"]
    command += [
        "--maxfail=5",
        "--tb=short",
        "-p",
        "no:cacheprovider",
        f"--rootdir={tmp_path}",
        str(CHECKS),
    ]
    done = subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None and int(passed[1]) > 300
