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

# The bytes of device memory that a thread loads before it uses the first of them, as the source
# code says: for the kernels of the most used ops that read much and compute little, in bf16. Rows
# have 4096 elements, but rows of logits for `topk_softmax_rows` have 64.
LOADED = {
    "add_rms_norm_rows": 32,
    "adamw_chunk": 64,
    "apply_rotary_heads": 12,
    "copy_rows": 16,
    "cross_entropy_bwd_rows": 16,
    "cross_entropy_rows": 16,
    "drop_elements": 16,
    "each_kernel": 16,
    "gated_bwd_rows": 48,
    "gated_rows": 32,
    "layer_norm_bwd_rows": 128,
    "layer_norm_rows": 64,
    "multiply_few": 16,
    "quantize_blocks": 16,
    "rms_norm_bwd_rows": 128,
    "rms_norm_rows": 64,
    "rotary_tokens": 96,
    "topk_softmax_rows": 4,
    "write_tokens": 32,
}
# The bytes that an SM of an A100 and of an H100 must have in flight to use the full bandwidth.
NEEDED = (9 << 10, 18 << 10)


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

    titles = ["kernel", "instances", "registers", "shared memory", "stack", "occupancy"]
    titles += ["KB in flight", "of the bandwidth"]
    rows = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for name, these in sorted(kernels.items(), key=cost):
        few, many = (limit(i.registers for i in these) for limit in (min, max))
        spilt = [i.stack for i in these if i.stack]
        stack = f"{max(spilt)} in {len(spilt)}" if spilt else ""
        share = min(i.occupancy() for i in these)
        shared = max(i.shared for i in these) or ""
        cells = [f"`{name}`", len(these), f"{few} to {many}", shared, stack, f"{share:.0%}"]
        rows.append(f"| {' | '.join(map(str, [*cells, *flight(name, share)]))} |")
    return "\n".join(rows)


def flight(kernel: str, occupancy: float) -> tuple[str, str]:
    """Return the last two columns of a kernel; they are empty if `LOADED` does not list it."""
    if kernel not in LOADED:
        return "", ""
    loads = occupancy * THREADS * LOADED[kernel]
    shares = (f"{min(loads / needed, 1):.0%}" for needed in NEEDED)
    return f"{loads / 1024:.0f}", ", ".join(shares)


def main() -> None:
    libraries = sorted((ROOT / "generated" / "lib").glob(LIBRARIES))
    if not libraries:
        sys.exit("cuda-resources: generated/ is not built with nvcc: make build")
    before, begin, rest = PAGE.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    PAGE.write_text(f"{before}{begin}\n{table(instances(libraries[0]))}\n{end}{after}")


if __name__ == "__main__":
    main()
