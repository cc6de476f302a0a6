"""Write the resources that the compiler gave CUDA kernels into docs/cuda.md.

Run `python scripts/cuda_resources.py`. It reads the built `generated/lib` with cuobjdump, from the
CUDA toolkit or from Triton. A row of the table has all instances of one kernel, for all dtypes and
code paths.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cuda.md"
BEGIN, END = "<!-- cuda-resources -->", "<!-- /cuda-resources -->"
LIBRARIES = "lib*_gpus-*.so"

# Limits of an SM of compute capability 8.0.
REGISTERS, SHARED, THREADS, WARP = 65536, 164 << 10, 2048, 32
SHARED_OF_A_BLOCK = 1 << 10  # reserved by the system
BLOCK = 256  # threads of a block, for the occupancy; fewer if the kernel allows only fewer


class Instance(NamedTuple):
    """A compiled kernel. Sizes are in bytes."""

    kernel: str
    registers: int
    shared: int
    stack: int  # spilled registers, and arrays with an index that is unknown at compile time
    threads: int  # the maximum for a block

    def occupancy(self) -> float:
        """Return the share of an SM's maximum number of threads that can be resident."""
        threads = min(BLOCK, self.threads)
        # Registers are allocated to a warp in units of 256.
        registers = -(-self.registers * WARP // 256) * 256 * threads // WARP
        blocks = min(REGISTERS // registers, SHARED // (self.shared + SHARED_OF_A_BLOCK))
        return min(blocks * threads, THREADS) / THREADS


def cuobjdump() -> str:
    """Return the path of the program cuobjdump."""
    found = shutil.which("cuobjdump")
    triton = importlib.util.find_spec("triton")
    if found is None and triton is not None and triton.origin is not None:
        found = str(Path(triton.origin).parent / "backends" / "nvidia" / "bin" / "cuobjdump")
    if found is None:
        sys.exit("cuda-resources: cuobjdump was not found; the CUDA toolkit and Triton have it")
    return found


def instances(library: Path) -> list[Instance]:
    """Return all kernels in a library, for its first GPU architecture."""

    def dump(option: str) -> str:
        command = [cuobjdump(), option, str(library)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    limits = {}
    for name, info in re.findall(r"^\.nv\.info\.(\S+)\n(.*?)(?=^\.)", dump("-elf"), re.S | re.M):
        bound = re.search(r"EIATTR_MAX_THREADS\n.*\n\s*Value:\s*(0x\w+)", info)
        limits[name] = int(bound[1], 16) if bound else 1024
    used = re.findall(
        r"Function (\S+):\s*REG:(\d+) STACK:(\d+) SHARED:(\d+)", dump("--dump-resource-usage")
    )
    return [
        Instance(kernel(name), int(registers), int(shared), int(stack), limits[name])
        for name, registers, stack, shared in {each[0]: each for each in used}.values()
    ]


def kernel(mangled: str) -> str:
    """Return the last component of a mangled name, without the arguments."""
    rest, last = mangled.removeprefix("_ZN"), ""
    while found := re.match(r"\d+", rest):
        end = found.end() + int(found[0])
        last, rest = rest[found.end() : end], rest[end:]
    return last


def table(found: list[Instance]) -> str:
    """Return the rows of the table, one for each kernel; those that spill most come first."""
    kernels = defaultdict[str, list[Instance]](list)
    for each in found:
        kernels[each.kernel].append(each)

    def cost(item: tuple[str, list[Instance]]) -> tuple[int, int, str]:
        name, these = item
        return -max(i.stack for i in these), -max(i.registers for i in these), name

    rows = ["| kernel | instances | registers | shared memory | stack | occupancy |"]
    rows.append("|---|---|---|---|---|---|")
    for name, these in sorted(kernels.items(), key=cost):
        few, many = (limit(i.registers for i in these) for limit in (min, max))
        spilt = [i.stack for i in these if i.stack]
        stack = f"{max(spilt)} in {len(spilt)}" if spilt else ""
        share = min(i.occupancy() for i in these)
        shared = max(i.shared for i in these) or ""
        rows.append(
            f"| `{name}` | {len(these)} | {few} to {many} | {shared} | {stack} | {share:.0%} |"
        )
    return "\n".join(rows)


def main() -> None:
    libraries = sorted((ROOT / "generated" / "lib").glob(LIBRARIES))
    if not libraries:
        sys.exit("cuda-resources: generated/ is not built with nvcc: make build")
    before, begin, rest = PAGE.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    PAGE.write_text(f"{before}{begin}\n{table(instances(libraries[0]))}\n{end}{after}")


if __name__ == "__main__":
    main()
