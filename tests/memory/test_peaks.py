"""A call allocates only its results, residuals and declared workspace."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# Further bytes that a framework may allocate: for each call, and for each tensor of a call.
BESIDE = {"torch": (3072, 0), "jax": (4096, 4096)}

LEAKY = """
#include <vector>
extern "C" long opgen_sum(long n) {
  std::vector<long> all(n, 1);
  long sum = 0;
  for (long each : all) sum += each;
  return sum;
}
"""


@dataclass(frozen=True)
class Peak:
    op: str
    case: str
    tensors: int
    declared: int
    least: int
    most: int

    def within(self, call: int, tensor: int) -> bool:
        """Return whether the peak is within bounds.

        A peak below the declared bytes shows that an allocation was not counted.
        """
        allowed = self.declared + call + tensor * self.tensors
        return self.least <= allowed and self.most >= self.declared


@pytest.fixture(scope="module")
def heap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile heap.c and return the path of the library."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    library = tmp_path_factory.mktemp("heap") / "libheap.so"
    flags = "-std=gnu11 -O2 -fPIC -shared -Wall -Wextra -Werror".split()
    command = [compiler, *flags, str(HERE / "heap.c"), "-o", str(library), "-ldl"]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return library


def run(heap: Path, *command: str) -> str:
    # Large blocks must also come from the heap, because otherwise their sizes are rounded up to
    # pages.
    environment = {
        **os.environ,
        "LD_PRELOAD": str(heap),
        "PYTHONPATH": str(ROOT),
        "MALLOC_MMAP_MAX_": "0",
    }
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize("framework", BESIDE)
@pytest.mark.slow
def test_a_call_allocates_what_its_spec_declares(heap: Path, framework: str) -> None:
    lines = run(heap, str(HERE / "peaks.py"), framework).splitlines()
    rows = [line.split("\t") for line in lines]
    found = [Peak(op, case, *map(int, counts)) for op, case, *counts in rows]
    assert {peak.op for peak in found} == {
        *run_path(str(ROOT / "generated/tests/test_ops.py"))["OPS"]
    }
    wrong = [str(peak) for peak in found if not peak.within(*BESIDE[framework])]
    assert not wrong, "\n".join(wrong)


def test_what_a_kernel_allocates_itself_is_seen(heap: Path, tmp_path: Path) -> None:
    """An allocation by a kernel itself is measured: a C++ vector in a library loaded later."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    source, library = tmp_path / "leaky.cpp", tmp_path / "libleaky.so"
    source.write_text(LEAKY)
    subprocess.run([compiler, "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    program = (
        "import ctypes; heap = ctypes.CDLL(None); heap.heap_peak.restype = ctypes.c_long;"
        f"own = ctypes.CDLL({str(library)!r}); heap.heap_begin(); own.opgen_sum(1 << 16);"
        "print(heap.heap_peak())"
    )
    assert 0 <= int(run(heap, "-c", program)) - (8 << 16) < 2048
