"""Peak memory of calls: `LD_PRELOAD=libheap.so python tests/memory/peaks.py torch [op ...]`.

Prints a line for each call: op, case, the number of declared tensors and their bytes, and the
minimum and maximum of the allocated bytes. `heap.c` is the source of the library.
"""

from __future__ import annotations

import ctypes
import gc
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import generated
from bench.native import sizes
from opgen.bench.sizes import Size, scaled, with_sizes
from opgen.bench.work import there
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.testing import load
from opgen.testing.arrays import mapped
from opgen.testing.cases import cases
from opgen.testing.draw import draw
from opgen.testing.environment import Case, dtype_in, environment, shape_in
from opgen.testing.op_under_test import OpUnderTest

TESTS = Path(generated.__file__).parent / "tests"
# Large enough that one number for each row or column is more than any other allocation of a call.
SIZE = Size(1024, 1024)
BOXES = Size(4096, 4)
ATTEMPTS = 5  # one-time allocations, and those of Python, do not occur each time
KINDS = {"torch": 2, "jax": 1}  # kinds of calls; JAX compiles each


def grown(op: Op, most: int) -> Iterator[Case]:
    """Yield the op's cases with larger sizes, once for each combination of dtypes and absent
    inputs.
    """
    seen: set[object] = set()
    for case in cases(op):
        kind = (case.dtypes, frozenset(dict(case.attrs)), case.absent, case.forms)
        large = scaled(op, case, BOXES if op.name == "nms" else SIZE)
        if large is None and op.name.startswith("varlen_attention"):
            large = with_sizes(op, case, sizes()["varlen_attention"][""](SIZE.rows, SIZE.columns))
        if large is not None and kind not in seen and len(seen) < most:
            seen.add(kind)
            yield large


def declared(op: Op, case: Case, *, copied: bool) -> list[int]:
    """Return the bytes of each result, residual and workspace of a call that asks for all of them.

    Optional residuals are those that a gradient needs. Updated inputs count as results if they are
    `copied`, as in JAX.
    """
    values = environment(op, case)
    values |= {t.name: None for t in op.residuals if t.optional}
    made = [t for t in (*op.written, *op.workspace) if there(t, values) and _asked(t, values)]
    if copied:
        made += [t for t in op.updated if values[t.name] is not None]
    return [bytes for tensor in made for bytes in _bytes(op, tensor, values, case)]


def _asked(tensor: Tensor, values: dict[str, Any]) -> bool:
    return not tensor.optional or values[tensor.name] is not None


def _bytes(op: Op, tensor: Tensor, values: dict[str, Any], case: Case) -> list[int]:
    shape = shape_in(op, tensor, values, case)
    bits = DTYPES[dtype_in(tensor, values)].bits
    return [-(-math.prod(each) * bits // 8) for each in (shape if tensor.list else [shape])]


def allocated(heap: ctypes.CDLL, call: Callable[[], object]) -> tuple[int, int]:
    """Return the minimum and maximum of a call's peak memory in bytes, including the results."""
    call()
    call()
    gc.freeze()  # excludes existing objects from each collection
    found = []
    for _ in range(ATTEMPTS):
        gc.collect()
        heap.heap_begin()
        kept = call()
        found.append(heap.heap_peak())
        del kept
    return min(found), max(found)


def in_torch(subject: OpUnderTest, case: Case) -> Callable[[], object]:
    from opgen.testing import torch_checks

    inputs = torch_checks.tensors(subject, draw(subject.op, case))
    return lambda: torch_checks.call(subject, case, inputs)


def in_jax(subject: OpUnderTest, case: Case) -> Callable[[], object]:
    import jax

    from opgen.testing import jax_checks

    inputs = mapped(jax.device_put, draw(subject.op, case))
    # Waits for the result. Otherwise a later call would include what another thread allocates or
    # frees.
    return lambda: jax.block_until_ready(jax_checks.call(subject, case, inputs))


def precision(framework: str, subject: OpUnderTest, case: Case) -> Any:
    if framework == "torch":
        return nullcontext()
    from opgen.testing import jax_checks

    return jax_checks.precision(subject, case)


def main(framework: str, *names: str) -> None:
    heap = ctypes.CDLL(None)
    heap.heap_peak.restype = ctypes.c_long
    first = load(str(TESTS / "test_ops.py"), "relu", package="generated", namespace="generated")
    gc.disable()
    for op in first.project.ops:
        if names and op.name not in names:
            continue
        subject = OpUnderTest(op, first.project)
        for case in grown(op, KINDS[framework]):
            with precision(framework, subject, case):
                call = (in_jax if framework == "jax" else in_torch)(subject, case)
                found = allocated(heap, call)
            said = declared(op, case, copied=framework == "jax")
            print(op.name, case, len(said), sum(said), *found, sep="\t", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
