"""Call the C entry of an op's CPU kernel, with memory that a test prepares.

The module does the work of a framework adapter: it creates the buffers, descriptor, context and
workspace. Its structures match `runtime/include/opgen/buffer.h` and `context.h`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from ctypes import POINTER, c_int32, c_int64, c_void_p
from functools import lru_cache
from typing import Any

import numpy as np

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Name
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.source.frozen import dataclass
from opgen.testing.built import library
from opgen.testing.environment import Case, environment, meets, numpy_dtype
from opgen.testing.op_under_test import OpUnderTest

BODY = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_int64)
PARALLEL_FOR = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_int64, c_void_p, c_void_p)
# A parallel loop: a function of n, `grain` and a body. It calls the body with ranges of at least
# `grain` elements that together cover [0, n).
Ranges = Callable[[int, int, Callable[[int, int], None]], None]

EXTENT = 3 * c_int64


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("sizes", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("rank", c_int32),
        ("dtype", c_int32),
    ]


class _BufferList(ctypes.Structure):
    _fields_ = [("items", POINTER(_Buffer)), ("count", c_int64)]


class _Context(ctypes.Structure):
    _fields_ = [
        ("stream", c_void_p),
        ("pool", c_void_p),
        ("parallel_for", PARALLEL_FOR),
        ("threads", c_int32),
        ("device", c_int32),
        ("grid", EXTENT),
        ("block", EXTENT),
        ("program", EXTENT),
        ("workspace", c_void_p),
        ("workspace_bytes", c_int64),
        ("symbol", c_int32),
        ("kernel", c_int32),
        ("failure", c_void_p),
    ]


@dataclass(frozen=True)
class Entry:
    """The entry of an op's kernel, and the function that returns the size of its workspace."""

    call: Any
    workspace: Any


def entry(subject: OpUnderTest) -> Entry:
    """Return the entry of the op's CPU kernel, from the library that the frameworks use."""
    kernels = library(subject)
    name = f"{subject.project.namespace}_{subject.name}_cpu"
    found = getattr(kernels, name)
    found.restype, found.argtypes = c_int32, [c_void_p]
    if cpu_kernel(subject).workspace is None:
        return Entry(found, None)
    size = getattr(kernels, f"{name}_workspace")
    size.restype, size.argtypes = c_int64, [c_void_p, _Properties]
    if subject.kernel is None:
        return Entry(found, size)
    size.argtypes.append(c_int32)
    return Entry(found, lambda desc, properties: size(desc, properties, place(subject)))


def address(subject: OpUnderTest) -> int:
    """Return the address of the entry in this process."""
    return ctypes.cast(entry(subject).call, c_void_p).value or 0


class _Properties(ctypes.Structure):
    _fields_ = [("arch", c_int32), ("sms", c_int32)]


def cpu_kernels(op: Op) -> list[Kernel]:
    """Return the CPU kernels of an op, including those that have no source file yet."""
    return [k for k in (*op.kernels, *op.awaited) if k.platform == "cpu"]


def cpu_kernel(subject: OpUnderTest) -> Kernel:
    """Return the CPU kernel that `subject` selects, by default the first."""
    kernels = cpu_kernels(subject.op)
    return next(k for k in kernels if subject.kernel is None or k.name == subject.kernel)


def place(subject: OpUnderTest) -> int:
    """Return the position of the selected kernel in the op's list of CPU kernels."""
    if subject.kernel is None:
        return 0
    listed = subject.module("core._project").LISTED
    return int(listed[subject.name]["cpu"].index(subject.kernel))


def takes(subject: OpUnderTest, case: Case) -> bool:
    """Return whether the CPU kernel accepts this call."""
    values = {**environment(subject.op, case), "arch": 0, "sms": 1}
    return meets(values, cpu_kernel(subject).require)


def descriptor(subject: OpUnderTest, values: Mapping[str, Any]) -> bytes:
    """Return the packed descriptor of a call. `values` is the call's `environment`."""
    op = subject.op
    choices = {attr.name: attr.choices for attr in op.attrs if attr.type == "str"}
    fields = {}
    for each in op.descriptor.fields:
        try:
            value = evaluate(each.value, values)
        except Unbound:  # no tensor of this call has the dim of this field
            value = 0
        if isinstance(each.value, Name) and each.value.id in choices:
            value = choices[each.value.id].index(value)
        elif each.type != "dtype" and isinstance(value, str):
            value = DTYPES[value].code
        fields[each.name] = value
    return bytes(subject.core.pack(**fields))


def prepared(
    subject: OpUnderTest,
    values: Mapping[str, Any],
    arrays: Sequence[Any],
    workspace: Callable[[int], np.ndarray],
    *,
    threads: int = 1,
    ranges: Ranges | None = None,
) -> Callable[[], int]:
    """Return a function that calls the entry and returns its status.

    `arrays` follow the order of the op's argument struct. A tensor is an array with any strides, a
    list of arrays, or None. `workspace` allocates a number of bytes, for a kernel that needs
    workspace.
    """
    op, kernel, found = subject.op, cpu_kernel(subject), entry(subject)
    packed = descriptor(subject, values)
    desc = ctypes.create_string_buffer(packed, len(packed))
    kept: list[Any] = []
    parts = [
        _argument(tensor.list is not None, array, kept) for tensor, array in zip(op.tensors, arrays)
    ]
    context = _Context(threads=threads, device=-1, grid=EXTENT(1, 1, 1), block=EXTENT(1, 1, 1))
    if kernel.grid:
        context.grid = EXTENT(*extent(kernel.grid, values))
    if kernel.block:
        context.block = EXTENT(*extent(kernel.block, values))
    context.symbol, context.kernel = _case_of(kernel, values), place(subject)
    if ranges is not None:
        context.parallel_for = _parallel_for(ranges, kept)
    if found.workspace is not None:
        memory = workspace(found.workspace(desc, _Properties(0, threads)))
        context.workspace, context.workspace_bytes = memory.ctypes.data, memory.size
    fields = [("desc", c_void_p), ("ctx", c_void_p)]
    fields += [(f"t{n}", type(part)) for n, part in enumerate(parts)]
    struct = type("Args", (ctypes.Structure,), {"_fields_": fields})
    args = struct(ctypes.addressof(desc), ctypes.addressof(context), *parts)
    kept += [desc, context, args]
    return lambda: int(found.call(ctypes.addressof(kept[-1])))


def extent(sizes: Sequence[Any], values: Mapping[str, Any]) -> list[int]:
    """Return the sizes of a grid or block in a call, along three axes."""
    found = [evaluate(size, values) for size in sizes]
    return found + [1] * (3 - len(found))


def _case_of(kernel: Kernel, values: Mapping[str, Any]) -> int:
    """Return the index of the kernel's symbol that applies to this call."""
    for place, (condition, _) in enumerate(kernel.symbol.cases):
        if condition is None or evaluate(condition, values):
            return place
    raise ValueError("no case holds")


def _parallel_for(ranges: Ranges, kept: list[Any]) -> Any:
    def run_ranges(pool: int, n: int, grain: int, body: int, arg: int) -> None:
        function = BODY(body)
        ranges(n, grain, lambda begin, end: function(arg, begin, end))

    made = PARALLEL_FOR(run_ranges)
    kept.append(made)
    return made


def _argument(is_list: bool, array: Any, kept: list[Any]) -> Any:
    if not is_list:
        return _buffer(array, kept)
    items = (_Buffer * len(array or ()))(*(_buffer(each, kept) for each in array or ()))
    kept.append(items)
    return _BufferList(ctypes.cast(items, POINTER(_Buffer)), len(items))


def _buffer(array: np.ndarray | None, kept: list[Any]) -> _Buffer:
    if array is None:
        return _Buffer(None, None, None, -1, DTYPES["f32"].code)
    rank = array.ndim
    sizes = (c_int64 * rank)(*array.shape)
    strides = (c_int64 * rank)(*(step // array.itemsize for step in array.strides))
    kept += [array, sizes, strides]
    code = _codes()[array.dtype]
    return _Buffer(array.ctypes.data, sizes, strides, rank, code)


@lru_cache
def _codes() -> dict[np.dtype, int]:
    return {numpy_dtype(name): dtype.code for name, dtype in DTYPES.items() if dtype.bits >= 8}
