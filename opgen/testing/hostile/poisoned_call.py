"""Call the entry of a CPU kernel with poisoned memory at chosen addresses."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import Any

import numpy as np

from opgen.ir.layouts import Order, layouts
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.expr.evaluate import evaluate
from opgen.language.shapes import Group
from opgen.source.frozen import dataclass
from opgen.testing.arrays import applied, flat, mapped
from opgen.testing.calls import inferred
from opgen.testing.environment import (
    Case,
    dtype_in,
    environment,
    form_in,
    numpy_dtype,
    pick,
    shape_in,
)
from opgen.testing.hostile import entry
from opgen.testing.hostile.memory import POISONS, Memory, allocate, far
from opgen.testing.op_under_test import OpUnderTest

LIBM = ctypes.CDLL(None)
# The largest number of elements of an input with distant rows, since each row needs a memory page.
MOST_FAR = 2**10


class _Memory(ctypes.Structure):
    _fields_ = [(f"field{n}", ctypes.c_size_t) for n in range(10)]


# glibc's function that reports allocated memory. Other C libraries do not have it.
MALLINFO = getattr(LIBM, "mallinfo2", None)
if MALLINFO is not None:
    MALLINFO.restype = _Memory


@dataclass(frozen=True)
class Setting:
    """The conditions of a kernel call: addresses, poison and threads."""

    poison: int
    shifted: bool
    threads: int
    far: bool = False


PLAIN = Setting(POISONS[0], False, 1)
MOVED = Setting(POISONS[1], True, 3)
FAR = Setting(POISONS[0], False, 1, far=True)


@dataclass(frozen=True)
class Attempt:
    """A call of a kernel to make: the op, the case, and the conditions of the call."""

    subject: OpUnderTest
    case: Case
    setting: Setting = PLAIN

    @property
    def op(self) -> Op:
        return self.subject.op

    @cached_property
    def values(self) -> Mapping[str, Any]:
        return environment(self.op, self.case)


@dataclass(frozen=True)
class Ran:
    """Observations about a call, apart from its tensors.

    `around` lists offsets of overwritten bytes next to the workspace. `grown` is the number of
    bytes that repeated calls leaked. `sound` is false if the call changed the thread's
    floating-point mode.
    """

    status: int
    around: tuple[int, ...] = ()
    grown: int = 0
    sound: bool = True


@dataclass(frozen=True)
class Called:
    """A finished call of the entry, with the memory and the previous contents of each tensor."""

    ran: Ran
    memory: list[Any]
    before: list[Any]

    @property
    def status(self) -> int:
        return self.ran.status


def call(attempt: Attempt, arrays: Sequence[Any], times: int = 1) -> Called:
    """Call the entry with inputs surrounded by known bytes, and with results full of poison.

    If `times` is more than 1, make `times` calls and count the memory that they leak.
    """
    memory = laid_out(attempt, arrays)
    before = mapped(lambda m: m.whole.copy(), memory)
    ran = (attempt.subject.caller or run)(attempt, memory, times)
    return Called(ran, memory, before)


def laid_out(attempt: Attempt, arrays: Sequence[Any]) -> list[Any]:
    """Allocate the memory for each tensor of a call: the inputs, and results full of poison."""
    given = dict(zip((t.name for t in attempt.op.inputs), arrays))
    specs = {t.name: s for t, s in _specs(attempt, list(arrays))}
    memory: list[Any] = []
    for tensor in attempt.op.tensors:
        if tensor.role == "input":
            memory.append(applied(partial(_input, attempt, tensor), given[tensor.name]))
        elif tensor.role == "workspace":
            memory.append(_workspace(attempt, tensor))
        else:
            memory.append(applied(partial(_made, attempt, tensor), specs[tensor.name]))
    return memory


def run(attempt: Attempt, memory: Sequence[Any], times: int = 1) -> Ran:
    """Call the entry in this process, on memory that is already prepared."""
    asked: list[Memory] = []
    call = ready(attempt, memory, asked)
    held, mode = _held() if times > 1 else 0, ctypes.create_string_buffer(64)
    LIBM.fegetenv(mode)
    for _ in range(times):
        status = call()
    grown, sound = _held() - held if times > 1 else 0, _arithmetic()
    LIBM.fesetenv(mode)
    around = tuple(int(place) for each in asked for place in each.overwritten()[:4])
    return Ran(status, around, grown, sound)


def ready(attempt: Attempt, memory: Sequence[Any], asked: list[Memory]) -> Callable[[], int]:
    """Return a function that calls the entry on `memory`. Add the call's workspace to `asked`."""
    threads = attempt.setting.threads

    def workspace(size: int) -> np.ndarray:
        asked.append(allocate((max(size, 0),), np.dtype(np.uint8), last=attempt.setting.poison))
        return asked[-1].array

    return entry.prepared(
        attempt.subject,
        attempt.values,
        mapped(lambda m: m.array, memory),
        workspace,
        threads=threads,
        ranges=None if threads == 1 else _ranges(threads, attempt.case.seed),
    )


def _specs(attempt: Attempt, arrays: list[Any]) -> list[tuple[Tensor, Any]]:
    """Return the tensors and lists that a call creates, with their shapes, dtypes and orders."""
    op = attempt.op
    found = inferred(attempt.subject, attempt.case, arrays, of=op.written)
    if not any(t.list for t in op.written):
        return found
    grouped: dict[str, Any] = {t.name: [] if t.list else None for t in op.written}
    for tensor, spec in found:
        if tensor.list:
            grouped[tensor.name].append(spec)
        else:
            grouped[tensor.name] = spec
    return [(t, grouped[t.name]) for t in op.written]


def _order(attempt: Attempt, tensor: Tensor) -> tuple[int, ...] | None:
    """Return the memory order of an input: its dims, from the slowest-varying to the fastest.

    Return None for row-major order.
    """
    values = attempt.values
    layout = pick(layouts(attempt.op, tensor), values)
    if not isinstance(layout, Order) or values[tensor.name] is None:
        return None
    terms = form_in(attempt.op, tensor, values, attempt.case).terms
    widths = [len(values[t.name]) if isinstance(t, Group) else 1 for t in terms]
    starts = [sum(widths[:n]) for n in range(len(widths))]
    return tuple(starts[n] + i for n in layout.terms for i in range(widths[n]))


def has_far_rows(attempt: Attempt, arrays: Sequence[Any]) -> bool:
    """Return True if all inputs are small and callers may choose some input's row distance."""
    return all(a is None or a.size <= MOST_FAR for a in flat(arrays)) and any(
        _apart(attempt, t) and any(a is not None and a.ndim > 1 and a.size for a in flat([array]))
        for t, array in zip(attempt.op.inputs, arrays)
    )


def _apart(attempt: Attempt, tensor: Tensor) -> bool:
    """Return whether a caller may choose the distance between rows, for example by slicing."""
    if attempt.values[tensor.name] is None or tensor.align:
        return False
    return pick(layouts(attempt.op, tensor), attempt.values) in ("last", "strided")


def _input(attempt: Attempt, tensor: Tensor, array: np.ndarray) -> Memory:
    """Copy an input to memory, at an address and with a row stride that a caller of the op could pass."""
    setting = attempt.setting
    apart = _apart(attempt, tensor) and array.ndim > 1 and array.size > 0
    if setting.far and apart:
        return far(array)
    made = allocate(
        array.shape,
        array.dtype,
        order=_order(attempt, tensor),
        pitch=array.shape[-1] + 3 if apart and setting.shifted else None,
        last=setting.poison,
        shift=_shift(tensor, array.dtype, setting),
    )
    made.array[...] = array
    return made


def _made(attempt: Attempt, tensor: Tensor, spec: Any) -> Memory:
    """Allocate a result, filled with poison or with the initial value that the spec declares."""
    dtype = numpy_dtype(spec.dtype)
    made = allocate(
        spec.shape,
        dtype,
        order=spec.order,
        last=attempt.setting.poison,
        shift=_shift(tensor, dtype, attempt.setting),
    )
    if tensor.init is not None:
        made.array[...] = evaluate(tensor.init, attempt.values)
    return made


def _workspace(attempt: Attempt, tensor: Tensor) -> Memory | None:
    """Allocate a workspace tensor, aligned as in frameworks, or return None if it is not needed."""
    values = attempt.values
    if tensor.when is not None and not evaluate(tensor.when, values):
        return None
    shape = shape_in(attempt.op, tensor, values, attempt.case)
    made = allocate(shape, numpy_dtype(dtype_in(tensor, values)), last=attempt.setting.poison)
    if tensor.init is not None:
        made.array[...] = evaluate(tensor.init, values)
    return made


def _shift(tensor: Tensor, dtype: np.dtype, setting: Setting) -> int:
    return (tensor.align or dtype.itemsize) if setting.shifted else 0


def _ranges(threads: int, seed: int) -> entry.Ranges:
    """Return a parallel loop that runs random parts of [0, n) on `threads` threads.

    Each part has at least `grain` elements, and the parts run in random order.
    """
    rng = random.Random(seed)

    def run(n: int, grain: int, body: Callable[[int, int], None]) -> None:
        bounds = [0]
        while bounds[-1] < n:
            step = rng.randint(grain, 3 * grain)
            bounds.append(n if n - bounds[-1] - step < grain else bounds[-1] + step)
        parts = [*zip(bounds, bounds[1:])]
        rng.shuffle(parts)
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda part: body(*part), parts))

    return run


def _arithmetic() -> bool:
    """Return whether this thread rounds to nearest and supports subnormal numbers."""
    one, tiny = np.float32(1), np.nextafter(np.float32(0), np.float32(1))
    third = one / np.float32(3)
    return bool(tiny * one != 0 and third * np.float32(3) == one and LIBM.fegetround() == 0)


def _held() -> int:
    """Return the number of bytes that the process has allocated with `malloc`."""
    if MALLINFO is None:
        return 0
    found = MALLINFO()
    return int(found.field4 + found.field7)  # the fields `hblkhd` and `uordblks`
