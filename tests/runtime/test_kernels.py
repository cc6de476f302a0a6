"""Kernels access only their own memory, and give the same bits with any number of threads.

Every file in kernels/ calls the kernels of one family and prints a line for each call. By default
the kernels run on few sizes. They are compiled with sanitizers for memory and undefined behaviour.
The built kernels in `generated/lib` run too, for each CPU level. `make sanitize` sets
OPGEN_SANITIZE. It runs all sizes, tests for data races, and tests an array of more than 2^31
elements.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from opgen.build.runtime_files import include_dir
from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.spec.config import load_config

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FAMILIES = sorted(path.stem for path in (HERE / "kernels").glob("*.cpp"))
COMMON = """
    -std=c++17 -Wall -Wextra -Werror
    -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off -pthread
"""
# Also checks that the address sanitizer lacks. A failed check ends the program without a message,
# and `make sanitize` prints one. With all checks, compilation takes two thirds longer.
QUICK = """
    -O1 -fsanitize=address,alignment,bounds,signed-integer-overflow,shift
    -fsanitize=integer-divide-by-zero,float-cast-overflow -fsanitize-undefined-trap-on-error
"""
MEMORY = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"
FAST = "-O3 -mprefer-vector-width=512"
AVX2, AVX512 = "-march=x86-64-v3", "-march=x86-64-v4"
STREAMING = "-DOPGEN_STREAM_FROM=1"  # streaming stores for all results, not only large ones
CROSS, EMULATORS = "aarch64-linux-gnu-g++", ("qemu-aarch64-static", "qemu-aarch64")
THOROUGH = bool(os.environ.get("OPGEN_SANITIZE"))
BUILDS = {"memory": MEMORY if THOROUGH else QUICK}
if THOROUGH:
    BUILDS |= {
        "fast": FAST,
        "memory-avx2": f"{MEMORY} {AVX2}",
        "memory-avx512": f"{MEMORY} {AVX512}",
        "memory-avx512-streaming": f"{MEMORY} {AVX512} {STREAMING}",
        "memory-streaming": f"{MEMORY} {STREAMING}",
        "fast-avx2": f"{FAST} {AVX2}",
        "fast-avx512": f"{FAST} {AVX512}",
        "races": "-O1 -fsanitize=thread",
    }


def compiled(folder: Path, flags: str, cross: str | None = None) -> Path:
    """Compile the kernels of this repository and their test program. Return its path."""
    command = [cross or compiler()]
    if "-march" in flags and not runs(command[0], flags, folder):
        pytest.skip("this machine does not run what is compiled so")
    config, _, _ = load_config(ROOT)
    project, found, _ = load(sorted(config.specs_dir.glob("*.toml")), config)
    assert project is not None, found
    for file in render(project, ["cpp"]):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    includes = [f"-I{include_dir()}", "-Icpp", f"-I{config.kernels_dir}", f"-I{HERE}"]
    # The same compiler cache as in the build of the libraries.
    cache = shutil.which("ccache") or shutil.which("sccache") or ""
    launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", cache).split()
    command += [*COMMON.split(), *flags.split()]
    compile_ = [*launcher, *command, *includes, "-c"]
    # The test program's own code, which sums up results, is optimised and has no sanitizers.
    sources = {"suite": [str(HERE / "kernel_suite.cpp"), "-O2", "-fno-sanitize=all"]}
    for family in FAMILIES:
        sources[f"{family}_kernels"] = [f"cpp/{family}_cpu.cpp"]
        sources[family] = [str(HERE / "kernels" / f"{family}.cpp"), "-O0"]
    for tuned in sorted((folder / "cpp").glob("*_cpu_tuned.cpp")):
        sources[tuned.stem] = [f"cpp/{tuned.name}"]

    def compile_one(name: str) -> None:
        run([*compile_, *sources[name], "-o", f"{name}.o"], folder)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, sources))
    objects = [f"{name}.o" for name in sources]
    run([*command, *objects, "-o", "suite"], folder)
    return folder / "suite"


def compiler() -> str:
    found = os.environ.get("CXX") or shutil.which("c++")
    return found or pytest.skip("there is no C++ compiler")


def runs(compiler: str, flags: str, folder: Path) -> bool:
    """Return True if the machine supports the instructions that the flags allow."""
    level = flags.split("-march=")[1].split()[0]
    (folder / "level.cpp").write_text(
        f'int main() {{ return !__builtin_cpu_supports("{level}"); }}'
    )
    run([compiler, "level.cpp", "-o", "level"], folder)
    return subprocess.run([folder / "level"]).returncode == 0


def run(command: list[str], folder: Path) -> None:
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:4000]


def lines_of(
    suite: Path,
    threads: int,
    sizes: str,
    emulator: Sequence[str] = (),
    env: dict[str, str] | None = None,
) -> list[str]:
    command = [*emulator, str(suite), str(threads), sizes]
    ran = subprocess.run(command, capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stderr[:4000]
    return ran.stdout.splitlines()


@pytest.fixture(scope="module", params=BUILDS)
def suite(request, tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.mktemp(request.param), BUILDS[request.param])


def test_kernels(suite: Path) -> None:
    """The kernels pass the sanitizers.

    With OPGEN_SANITIZE they run with one thread and with five, and the results must be equal.
    """
    if THOROUGH:
        right(suite, "all", (1, 5))
    else:
        right(suite, "few", (3,))


def test_built_kernels(suite: Path, tmp_path: Path) -> None:
    """The built kernels give the same bits with one and three threads, at each CPU level."""
    found = sorted((ROOT / "generated" / "lib").rglob("libgenerated_kernels-*.so"))
    if not found or not suite.parent.name.startswith("memory0"):
        pytest.skip("generated/ is not built" if not found else "tested with `memory`")
    drivers = [str(suite.parent / f"{name}.o") for name in ("suite", *FAMILIES)]
    program = tmp_path / "suite"
    run(
        [compiler(), *BUILDS["memory"].split(), *drivers, str(found[0]), "-o", str(program)],
        tmp_path,
    )
    for library in found:
        level = library.parent.name
        if level != "lib" and not runs(compiler(), f"-march={level}", tmp_path):
            continue
        # The libraries of all levels have the same name, so each is copied to a separate folder.
        alone = tmp_path / f"only-{level}"
        alone.mkdir()
        shutil.copy(library, alone)
        right(program, "few", (1, 3), {**os.environ, "LD_LIBRARY_PATH": str(alone)})


def right(
    suite: Path, sizes: str, threads: Sequence[int], environment: dict[str, str] | None = None
) -> None:
    first, *others = (lines_of(suite, count, sizes, env=environment) for count in threads)
    assert all(line.split()[1] == "0" for line in first)  # 0 is the status `ok`
    assert all(lines == first for lines in others)
    calls = Counter(line.split()[0] for line in first)
    for family in FAMILIES:
        ops = [op for op in calls if op.startswith(family)]
        assert ops and all(calls[op] >= 28 for op in ops), (family, calls)


@pytest.mark.skipif(not THOROUGH, reason="takes minutes: `make sanitize` runs it")
def test_the_same_bits_on_aarch64(tmp_path: Path) -> None:
    """Kernels that are cross-compiled for aarch64 and run by QEMU give the same bits.

    The Debian packages are g++-aarch64-linux-gnu, and qemu-user or qemu-user-static.
    """
    emulator = next(filter(shutil.which, EMULATORS), None)
    if shutil.which(CROSS) is None or emulator is None:
        pytest.skip(f"there is no {CROSS} or no {EMULATORS[0]}")
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    here = compiled(tmp_path / "here", "-O1")
    there = compiled(tmp_path / "there", "-O1 -static", CROSS)
    assert lines_of(here, 1, "few") == lines_of(there, 1, "few", [emulator])


@pytest.mark.skipif(not THOROUGH, reason="takes 4 GiB: `make sanitize` runs it")
def test_more_elements_than_an_int_counts(suite: Path) -> None:
    if "races" in suite.parent.name:
        pytest.skip("the sanitizer for races needs eight times the memory")
    assert lines_of(suite, 2, "large") == ["tensor_negate i8 right"]
