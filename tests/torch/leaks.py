"""Memory that each call of each op leaks: `python tests/torch/leaks.py [calls]`.

Prints a line for each op and way of calling: op, way, bytes of malloc per call, and blocks of
Python's own allocator per call.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

import generated
from opgen.testing import load, torch_checks
from opgen.testing.calls import simple
from opgen.testing.draw import draw
from opgen.testing.op_under_test import OpUnderTest

TESTS = Path(generated.__file__).parent / "tests"
ATTEMPTS = 12  # a leak occurs each time, other growth does not


class Mallinfo2(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


_mallinfo2 = ctypes.CDLL(None).mallinfo2
_mallinfo2.restype = Mallinfo2


def in_use() -> tuple[int, int]:
    """Return the bytes allocated by malloc, and the blocks of Python's allocator."""
    gc.collect()
    found = _mallinfo2()
    return found.uordblks + found.hblkhd, sys.getallocatedblocks()


def growth(call: Callable[[], object], calls: int) -> tuple[float, float]:
    """Return the memory still in use after `calls` calls, per call."""
    for _ in range(100):
        call()
    gc.freeze()  # excludes existing objects from each collection
    found = []
    for _ in range(ATTEMPTS):
        before = in_use()
        for _ in range(calls):
            call()
        after = in_use()
        found.append(tuple((b - a) / calls for a, b in zip(before, after)))
        if max(found[-1]) < 0.5:
            break
    return min(found)


def ways(subject: OpUnderTest) -> Iterator[tuple[str, Callable[[], object]]]:
    """Return the ways to call an op, and failing calls, each as a function without arguments."""
    op = subject.op
    case = simple(subject)
    arrays = draw(op, case)
    inputs = torch_checks.tensors(subject, arrays)
    wrapper, keywords = subject.wrapper("torch"), torch_checks.keywords(subject, case)
    raw, attrs = torch_checks.raw(subject), torch_checks.attributes(subject, case)
    yield "direct", lambda: wrapper(*inputs, **keywords)
    flat = torch_checks.for_raw(subject, inputs)
    yield "dispatched", lambda: raw(*flat, *attrs)
    if subject.differentiable(case):
        active = torch_checks.tensors(subject, arrays, grad=True)
        yield "backward", lambda: backward(wrapper(*active, **keywords))
    first = next(n for n, x in enumerate(inputs) if isinstance(x, torch.Tensor))
    wrong = [*inputs]
    wrong[first] = wrong[first].to(torch.complex64)
    yield "refused", lambda: failing(lambda: wrapper(*wrong, **keywords))
    flat_wrong = torch_checks.for_raw(subject, wrong)
    yield "refused, dispatched", lambda: failing(lambda: raw(*flat_wrong, *attrs))
    indices = [
        n
        for n, t in enumerate(op.inputs)
        if t.values and not t.update and not t.list
        if inputs[n] is not None and not torch_checks.floating(inputs[n])
    ]
    for n in indices[:1]:
        outside = [*inputs]
        outside[n] = torch.full_like(outside[n], 2**30)
        yield "out of range", lambda: failing(lambda: wrapper(*outside, **keywords))


def backward(results: object) -> None:
    results = results if isinstance(results, tuple) else (results,)
    tensors = [y for y in results if torch_checks.floating(y) and y.requires_grad]
    torch.autograd.backward(tensors, [torch.ones_like(y) for y in tensors])


def failing(call: Callable[[], object]) -> None:
    try:
        call()
    except (TypeError, ValueError, RuntimeError):
        return
    raise AssertionError("the call should have failed")


def subjects() -> Iterator[OpUnderTest]:
    """Yield the ops with a kernel for the CPU."""
    file = str(TESTS / "test_ops.py")
    importlib.import_module("generated.torch")
    first = load(file, "relu", package="generated", namespace="generated")
    for op in first.project.ops:
        if torch._C._dispatch_has_kernel_for_dispatch_key(f"generated::{op.name}", "CPU"):
            yield first.peer(op.name)


def main(calls: int) -> None:
    torch.set_num_threads(1)
    for subject in subjects():
        for way, call in ways(subject):
            size, blocks = growth(call, calls)
            print(f"{subject.name}\t{way}\t{size:.3f}\t{blocks:.3f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
