"""The part of `nki.language` that our kernels use, over NumPy.

It enforces the reference's rules. A tile has at most 128 partitions, and nothing broadcasts.
Tensors in HBM are only loaded and stored. No element may be read before it is written.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

float32, float16, bfloat16 = np.dtype("f4"), np.dtype("f2"), np.dtype(ml_dtypes.bfloat16)
int8, int32, uint32 = np.dtype("i1"), np.dtype("i4"), np.dtype("u4")
sbuf, psum, hbm, shared_hbm = "sbuf", "psum", "private_hbm", "shared_hbm"
PARTITIONS = 128
COLUMNS_OF_MATMUL = 512

_here = threading.local()


sequential_range = range


class NKIObject:
    """The base class of classes in kernels."""


class Refused(Exception):
    """Raised for a call that the hardware or the compiler does not accept."""


class Launch:
    """State that the programs of one launch share."""

    def __init__(self, programs: int) -> None:
        self.programs = programs
        self.shared: list[NkiTensor] = []
        self.lock = threading.Lock()
        self.barrier = threading.Barrier(programs)


def start(launch: Launch, program: int) -> None:
    """Start a program: its state belongs to the current thread."""
    _here.launch, _here.program, _here.allocated = launch, program, 0


class NkiTensor:
    """A tensor in HBM, or a tile on the chip. `written` marks the elements that have a value."""

    def __init__(self, array: np.ndarray, buffer: str, written: np.ndarray, name: str = "") -> None:
        self.array, self.buffer, self.written, self.name = array, buffer, written, name
        self.shape, self.dtype, self.ndim = array.shape, array.dtype, array.ndim
        if self.on_chip and (not 1 <= self.ndim or self.shape[0] > PARTITIONS):
            raise Refused(f"a tile of {self.shape}: at most {PARTITIONS} partitions")

    @property
    def on_chip(self) -> bool:
        return self.buffer in (sbuf, psum)

    def reshape(self, shape: tuple[int, ...]) -> NkiTensor:
        array, written = self.array.reshape(shape), self.written.reshape(shape)
        return NkiTensor(array, self.buffer, written, self.name)

    def __getitem__(self, index: tuple[slice, ...]) -> NkiTensor:
        for each, size in zip(index, self.shape, strict=True):
            if not 0 <= each.start <= each.stop <= size:
                raise Refused(f"{each} is outside of {self.shape}")
        return NkiTensor(self.array[index], self.buffer, self.written[index], self.name)

    def vector_select(self, dim: int, vector_offset: NkiTensor) -> NkiTensor:
        """Return rows of a tensor in HBM, selected by index, one for each partition."""
        rows = _value(vector_offset)
        if dim or self.on_chip or rows.shape[1:] != (1,) or rows.dtype not in (int32, uint32):
            raise Refused("vector_select: rows of HBM, by one i32 or u32 of each partition")
        if not ((0 <= rows) & (rows < self.shape[0])).all():
            raise Refused(f"vector_select: a row outside of {self.shape}")
        return NkiTensor(self.array[rows[:, 0]], self.buffer, self.written[rows[:, 0]], self.name)

    def put(self, value: np.ndarray) -> None:
        """Write all elements; `value` must have the same shape."""
        if self.shape != value.shape:
            raise Refused(f"{value.shape} written to {self.shape}")
        self.array[...] = value.astype(self.dtype)
        self.written[...] = True


def program_id(axis: int = 0) -> int:
    return _here.program if axis == 0 else 0


def num_programs(axes: int = 0) -> int:
    return _here.launch.programs if axes == 0 else 1


def ds(start: int, size: int) -> slice:
    return slice(start, start + size)


def ndarray(shape: tuple[int, ...], dtype: Any, buffer: str = sbuf) -> NkiTensor:
    """Return a tensor without values: floats are NaN, integers are 4, as in AWS's simulator."""
    if buffer != shared_hbm:
        return _unwritten(shape, dtype, buffer)
    launch = _here.launch
    with launch.lock:
        if _here.allocated == len(launch.shared):
            launch.shared.append(_unwritten(shape, dtype, buffer))
        _here.allocated += 1
        return launch.shared[_here.allocated - 1]


def _unwritten(shape: tuple[int, ...], dtype: Any, buffer: str) -> NkiTensor:
    if not shape:
        raise Refused("a tensor has at least one dim")
    filler = 4 if np.dtype(dtype).kind in "iu" else np.nan
    return NkiTensor(np.full(shape, filler, dtype), buffer, np.zeros(shape, bool))


def full(shape: tuple[int, ...], fill_value: float, dtype: Any, buffer: str = sbuf) -> NkiTensor:
    found = ndarray(shape, dtype, buffer)
    found.put(np.full(shape, fill_value, dtype))
    return found


def zeros(shape: tuple[int, ...], dtype: Any, buffer: str = sbuf) -> NkiTensor:
    return full(shape, 0, dtype, buffer)


def _written(x: NkiTensor) -> np.ndarray:
    if not x.written.all():
        raise Refused(f"a {x.shape} tensor is read before it is written")
    return x.array


def _value(x: Any) -> np.ndarray:
    """Return the elements of a tile. A tensor in HBM is refused, as it must be loaded first."""
    if not isinstance(x, NkiTensor) or not x.on_chip:
        raise Refused("only tiles are computed with: load it first")
    return _written(x)


def made(array: Any, dtype: Any, buffer: str = sbuf) -> NkiTensor:
    """Return a tile with these elements."""
    array = np.asarray(array).astype(dtype)
    return NkiTensor(array, buffer, np.ones(array.shape, bool))


def load(src: NkiTensor, dtype: Any = None) -> NkiTensor:
    if src.on_chip:
        raise Refused("load: the source is in HBM")
    return made(_written(src), dtype or src.dtype)


def store(dst: NkiTensor, value: NkiTensor) -> None:
    if dst.on_chip or value.buffer == psum:
        raise Refused("store: from SBUF to HBM; copy what is in PSUM first")
    dst.put(_value(value))


def _wide(x: Any) -> Any:
    """Return floats as f32, in which the hardware computes; return other values unchanged."""
    return x.astype(float32) if isinstance(x, np.ndarray) and x.dtype.kind not in "iub" else x


def _unary(function: Callable[..., Any]) -> Callable[..., NkiTensor]:
    @functools.wraps(function)
    def op(x: NkiTensor, dtype: Any = None) -> NkiTensor:
        return made(function(_wide(_value(x))), dtype or x.dtype)

    return op


def _binary(function: Callable[..., Any]) -> Callable[..., NkiTensor]:
    @functools.wraps(function)
    def op(x: Any, y: Any, dtype: Any = None) -> NkiTensor:
        tiles = [each for each in (x, y) if not isinstance(each, int | float)]
        values = [each if isinstance(each, int | float) else _wide(_value(each)) for each in (x, y)]
        if len({tile.shape for tile in tiles}) > 1:
            shapes = " and ".join(str(tile.shape) for tile in tiles)
            raise Refused(f"{function.__name__}: {shapes} do not broadcast: use nl.broadcast_to")
        return made(function(*values), dtype or tiles[0].dtype)

    return op


add, subtract, multiply = _binary(np.add), _binary(np.subtract), _binary(np.multiply)
maximum, minimum = _binary(np.maximum), _binary(np.minimum)
equal, not_equal = _binary(np.equal), _binary(np.not_equal)
less_equal = _binary(np.less_equal)
square, exp, log = _unary(np.square), _unary(np.exp), _unary(np.log)
reciprocal, rsqrt = _unary(np.reciprocal), _unary(lambda x: 1 / np.sqrt(x))
sigmoid, silu = _unary(lambda x: 1 / (1 + np.exp(-x))), _unary(lambda x: x / (1 + np.exp(-x)))


def divide(x: Any, y: Any, dtype: Any = None) -> NkiTensor:
    raise Refused("divide: no instruction does: multiply by nl.reciprocal")


def copy(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    return made(_value(x), dtype or x.dtype)


def where(condition: NkiTensor, x: NkiTensor, y: NkiTensor, dtype: Any = None) -> NkiTensor:
    if not condition.shape == x.shape == y.shape:
        raise Refused(f"where: {condition.shape}, {x.shape} and {y.shape} do not broadcast")
    chosen = np.where(_value(condition) != 0, _value(x), _value(y))
    return made(chosen, dtype or x.dtype)


def transpose(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    if x.ndim != 2:
        raise Refused(f"transpose: a tile of {x.shape}")
    return made(_value(x).T, dtype or x.dtype, psum)


def matmul(x: NkiTensor, y: NkiTensor, transpose_x: bool = False) -> NkiTensor:
    if not transpose_x:
        raise Refused("matmul without transpose_x=True is not supported")
    if x.shape[1] > PARTITIONS or y.shape[1] > COLUMNS_OF_MATMUL or psum in (x.buffer, y.buffer):
        raise Refused(f"matmul: {x.shape} and {y.shape}: 128 and 512 columns in SBUF at most")
    return made(_wide(_value(x)).T @ _wide(_value(y)), float32, psum)


def _reduction(function: Callable[..., Any]) -> Callable[..., NkiTensor]:
    def op(x: NkiTensor, axis: int, dtype: Any = None, keepdims: bool = False) -> NkiTensor:
        if axis != x.ndim - 1:
            raise Refused(f"axis {axis}: only free dims are reduced")
        return made(function(_wide(_value(x)), axis=axis, keepdims=keepdims), dtype or x.dtype)

    return op


max, min, sum = _reduction(np.max), _reduction(np.min), _reduction(np.sum)


def broadcast_to(x: NkiTensor, shape: tuple[int, ...], dtype: Any = None) -> NkiTensor:
    return made(np.broadcast_to(_value(x), shape), dtype or x.dtype)


def __getattr__(name: str) -> Callable[..., Any]:
    """Return a function for a name that is missing here; a call of it raises `Refused`."""
    if name.startswith("__"):
        raise AttributeError(name)

    def lacking(*_: Any, **__: Any) -> Any:
        raise Refused(f"the stand-in has no nki.language.{name}")

    return lacking
