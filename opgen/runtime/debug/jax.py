"""Shadowed calls in JAX.

The environment variable `OPGEN_SHADOW` enables this module. The module registers its own handler
with XLA in place of the library's handler. Its handler sees every call of every program in this
process, and keeps the arguments and results of some calls. A separate thread compares the results
with the reference, because a handler must not call JAX.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import itertools
import math
import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..core.attrs import SCALARS, ffi_name
from ..core.project import LAYOUT, PACKAGE
from ..jax.arrays import numpy_promotion
from ..jax.batching import call as call_kernel
from ..jax.call import Call, call_of
from ..jax.dtypes import CODES, DTYPES
from ..jax.kernel import Kernel, kernel_of
from ..jax.references import pull_back, xp
from . import shadow
from .call_frame import HANDLER, TYPES, Buffer, Frame
from .expected import mapped
from .replay_file import Record, Stored
from .shadow import CANARY, GUARD, Result

WAITING, PATIENCE = 32, 10  # the length of the comparison queue; seconds to wait if it is full
_kept: list[Any] = []  # must stay alive as long as the process
_DTYPES = {code: name for name, code in CODES.items()}


class _Engine:
    """The engine that computes references in JAX, on the CPU, in 64 bits."""

    xp = xp

    def array(self, values: np.ndarray) -> jax.Array:
        return jnp.asarray(values)

    def values(self, array: Any) -> np.ndarray:
        found = np.asarray(array)
        return _widened(found)

    def decode(self, stored: Stored) -> np.ndarray:
        return _widened(_array(stored))

    pull_back = staticmethod(pull_back)


ENGINE = _Engine()


class _Seen(NamedTuple):
    """The arguments and results of a handler's call, as bytes."""

    op: str
    platform: str
    operands: list[Stored]
    results: list[Stored]
    attrs: dict[str, Any]
    broken: list[int]  # results with writes outside of their memory
    changed: list[int]  # operands that the call has changed


def watched(op: str, platform: str, handler: Any) -> Any:
    """Return the handler to register with XLA for `op`.

    This is `handler` itself, or a function that calls it and shadows some calls.
    """
    chosen = shadow.sampler(op)
    if chosen is None or platform != "cpu":
        return handler
    address = ctypes.cast(handler, ctypes.c_void_p).value
    original = HANDLER(address or 0)

    def run(frame: Any) -> Any:
        it: Frame = frame.contents
        if not it.runs or not (REPLAY.asked or chosen()):
            return original(frame)
        return _shadowed(op, platform, original, frame)

    made = HANDLER(run)
    _kept.extend((made, original))
    return made


def _shadowed(op: str, platform: str, original: Callable[[Any], Any], frame: Any) -> Any:
    it: Frame = frame.contents
    guarded: list[_Guarded] = []
    try:
        if not all(b.dtype in TYPES for part in (it.args, it.rets) for b in part):
            return original(frame)
        operands = [_stored(buffer) for buffer in it.args]
        attrs = it.attrs.values(lambda code: DTYPES[TYPES[code]])
        for buffer in it.rets:
            guarded.append(_Guarded(buffer, it))
    except Exception as error:  # the program must continue
        for each in guarded:
            each.release()
        shadow.once((op, "kept"), f"{op}: a call was not kept: {error!r}")
        return original(frame)
    try:
        failed = original(frame)
    finally:
        broken = [n for n, each in enumerate(guarded) if not each.release()]
    if failed:
        return failed
    try:
        written = {b.data for b in it.rets}
        changed = [
            n
            for n, (b, before) in enumerate(zip(it.args, operands))
            if b.data not in written and not np.array_equal(_stored(b).data, before.data)
        ]
        results = [_stored(buffer) for buffer in it.rets]
        _hand_over(_Seen(op, platform, operands, results, attrs, broken, changed))
    except Exception as error:  # the program must continue
        shadow.once((op, "kept"), f"{op}: a call was not kept: {error!r}")
    return failed


class _Guarded:
    """A result in memory with known bytes ("canaries") before and after the result.

    The result is first filled with NaN, to detect elements that the kernel does not write. A result
    that shares memory with an operand stays in XLA's memory.
    """

    def __init__(self, buffer: Buffer, frame: Frame) -> None:
        self.buffer, self.address = buffer, buffer.data
        self.size = _nbytes(buffer)
        self.room: np.ndarray | None = None
        if not self.address or any(b.data == self.address for b in frame.args):
            return
        self.room = np.full(self.size + 2 * GUARD + 64, CANARY, np.uint8)
        self.first = GUARD + -(self.room.ctypes.data + GUARD) % 64
        self.room[self.first : self.first + self.size] = 0xFF
        buffer.data = self.room.ctypes.data + self.first

    def release(self) -> bool:
        """Copy the result to XLA's buffer, and return whether the canaries are unchanged."""
        if self.room is None:
            return True
        self.buffer.data = self.address
        ctypes.memmove(self.address, self.room.ctypes.data + self.first, self.size)
        before, after = self.room[: self.first], self.room[self.first + self.size :]
        return bool((before == CANARY).all() and (after == CANARY).all())


def _nbytes(buffer: Buffer) -> int:
    count = 1
    for size in buffer.shape:
        count *= size
    return count * DTYPES[TYPES[buffer.dtype]].itemsize


def _stored(buffer: Buffer) -> Stored:
    size = _nbytes(buffer)
    data = ctypes.string_at(buffer.data, size) if size else b""
    address = (buffer.data or 0) % 256
    return Stored(TYPES[buffer.dtype], buffer.shape, np.frombuffer(data, np.uint8), None, address)


def _array(stored: Stored) -> np.ndarray:
    return stored.data.view(DTYPES[stored.dtype]).reshape(stored.shape)


def _widened(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.float64) if jnp.issubdtype(array.dtype, jnp.floating) else array


class _Asked:
    """The state of a replay: if `asked` is True, the next call is recorded in `seen`."""

    asked = False
    seen: _Seen | None = None


REPLAY = _Asked()
_waiting: queue.Queue[_Seen] = queue.Queue(WAITING)
_started: list[int] = []  # the process that started the comparison thread
_lock = threading.Lock()


def _hand_over(seen: _Seen) -> None:
    if REPLAY.asked:
        REPLAY.seen = seen
        return
    with _lock:
        if _started != [os.getpid()]:
            _started[:] = [os.getpid()]
            threading.Thread(target=_compare, name="opgen shadow", daemon=True).start()
            atexit.register(flush)
    try:
        _waiting.put(seen, timeout=PATIENCE)
    except queue.Full:
        shadow.once("full", "calls are made faster than they are compared: some are left out")


def flush() -> None:
    """Wait until all recorded calls are compared."""
    if _started == [os.getpid()]:
        _waiting.join()


def _compare() -> None:
    while True:
        seen = _waiting.get()
        try:
            with _host():
                record, result = _described(seen)
                shadow.examine(ENGINE, record, result)
        except Exception as error:  # the program must continue
            shadow.once((seen.op, "unchecked"), f"{seen.op}: a call was not checked: {error!r}")
        finally:
            _waiting.task_done()


@contextlib.contextmanager
def _host() -> Iterator[None]:
    """Return a context in which JAX computes on the CPU in 64 bits, as references require."""
    device = jax.default_device(jax.local_devices(backend="cpu")[0])
    with jax.enable_x64(True), device, numpy_promotion():
        yield


_turns = itertools.count()


def _described(seen: _Seen) -> tuple[Record, Result]:
    """Return a call's arguments and results under the names in the spec.

    If the call loops over a batch, return one iteration.
    """
    kernel = kernel_of(seen.op)
    given = seen.attrs
    attrs = {name: _attr(kernel, name, given.get(ffi_name(name))) for name in kernel.options}
    updates = len(kernel.updates)
    names = [*kernel.results, *(kernel.arguments[n] for n in kernel.updates)]
    every = [*kernel.arguments, *names]
    counts = list(given.get("given", [1] * len(every)))
    taken, found = counts[: len(kernel.arguments)], counts[len(kernel.arguments) :]
    lists = {each.name for each in kernel.facts.inputs if each.list}
    loops = int(given["batch_dims"])
    operands, results = _turn(seen, loops)
    shapes = [jax.ShapeDtypeStruct(s.shape, DTYPES[s.dtype]) for s in operands]
    wanted = tuple(n for n, count in zip(kernel.results, found) if n in kernel.on_request and count)
    call = call_of(kernel, _grouped(kernel.arguments, taken, lists, shapes), attrs, wanted)
    orders = call.input_orders([len(s.shape) for s in operands])
    operands = [_row_major(s, order) for s, order in zip(operands, orders)]
    specs = call.infer([s.shape for s in operands], [DTYPES[s.dtype] for s in operands])
    written = [None if s.order is None else s.order for s in specs[: len(specs) - updates]]
    written += [None] * (len(specs) - len(written))
    for operand, result in call.updates:
        written[result] = orders[operand]
    results = [_row_major(s, order, spec.shape) for s, order, spec in zip(results, written, specs)]
    inputs = dict(zip(kernel.arguments, _grouped(kernel.arguments, taken, lists, operands)))
    made_lists = {n for n, y in zip(names, found) if n in lists} | _lists_of(call, names)
    values = dict(zip(names, _grouped(names, found, made_lists, results)))
    labels = call.result_names(shapes)
    notes = [("wrote outside of", labels[n]) for n in seen.broken]
    notes += [("changed its input", call.argument_names()[n]) for n in seen.changed]
    record = Record(
        package=PACKAGE,
        layout=LAYOUT,
        op=seen.op,
        framework="jax",
        platform=seen.platform,
        inputs=inputs,
        attrs=attrs,
        wanted=wanted if kernel.on_request else None,
    )
    return record, Result(values, tuple(notes))


def _lists_of(call: Call, names: Sequence[str]) -> set[str]:
    """Return the names of the results that are lists."""
    return {
        name
        for name, child in zip(names, call.found.children())
        if child.node_data() is not None and child.node_data()[0] is list
    }


def _attr(kernel: Kernel, name: str, value: Any) -> Any:
    """Return an attr of a custom call in the form that specs use."""
    kind = kernel.facts.attrs[name].removesuffix("?")
    if value is None:
        return None
    if kind == "dtype":
        return _DTYPES[value]
    scalar = SCALARS.get(kind)
    return scalar.read(value) if scalar is not None and scalar.passed else value


def _grouped(
    names: Sequence[str], counts: Sequence[int], lists: set[str], arrays: Sequence[Any]
) -> list[Any]:
    """Return one value for each name: an array, a list of arrays, or None.

    `counts` has the number of arrays of each name, and `lists` has the names that are lists.
    """
    rest, found = iter(arrays), []
    for name, count in zip(names, counts):
        items = [next(rest) for _ in range(count)]
        found.append((items or None) if name in lists else items[0] if items else None)
    return found


def _turn(seen: _Seen, loops: int) -> tuple[list[Stored], list[Stored]]:
    """Return the arguments and results of one iteration of a loop over a batch.

    Each call of this function selects another iteration.
    """
    if loops == 0:
        return seen.operands, seen.results
    every = [*seen.operands, *seen.results]
    batch = [max(sizes) for sizes in zip(*(each.shape[:loops] for each in every))]
    at = np.unravel_index(next(_turns) % max(math.prod(batch), 1), batch)

    def part(stored: Stored) -> Stored:
        index = tuple(0 if size == 1 else int(n) for size, n in zip(stored.shape, at))
        return _stored_again(_array(stored)[index], stored.dtype)

    return [*map(part, seen.operands)], [*map(part, seen.results)]


def _stored_again(values: np.ndarray, dtype: str) -> Stored:
    shape = values.shape
    data = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
    return Stored(dtype, shape, data, None, 0)


def _row_major(
    stored: Stored, order: Sequence[int] | None, shape: tuple[int, ...] | None = None
) -> Stored:
    """Convert a tensor from memory order `order` to row-major order, and cut it to `shape` if
    given.
    """
    values = _array(stored)
    if order is not None and values.size:
        sizes = [stored.shape[dim] for dim in order]
        values = values.reshape(sizes).transpose(np.argsort(order))
    if shape is not None and shape != values.shape:
        values = values[tuple(map(slice, shape))]
    elif order is None:
        return stored
    return _stored_again(values, stored.dtype)


def rerun(record: Record) -> list[tuple[str, str, Any]]:
    """Rerun a recorded call. Return the differences from the reference, the worst first.

    Each difference is a tuple: the kind of error, its location, and the `Departure` or None.
    """
    kernel = kernel_of(record.op)
    with jax.enable_x64(True), jax.default_device(jax.local_devices(backend="cpu")[0]):
        inputs = [mapped(lambda s: jax.device_put(_array(s)), v) for v in record.inputs.values()]
        REPLAY.asked, REPLAY.seen = True, None
        try:
            options = {} if record.wanted is None else {"wanted": record.wanted}
            made = jax.jit(lambda *xs: call_kernel(kernel, *xs, **options, **record.attrs))(*inputs)
            jax.block_until_ready(made)
        finally:
            REPLAY.asked = False
        if REPLAY.seen is None:
            raise RuntimeError(f"{record.op}: JAX ran no kernel of this op")
        with _host():
            again, result = _described(REPLAY.seen)
            return shadow.findings(ENGINE, again, result)
