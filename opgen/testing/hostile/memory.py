"""Memory of one tensor in a hostile test: poisoned, between canaries, at an awkward address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap

import numpy as np

# Bytes before and after a tensor, in addition to its own size.
ZONE, LARGEST_ZONE = 4096, 2**16
# Frameworks align what they allocate to this.
ALIGN = 64
# Linux reserves no memory for pages that nobody touches.
MAP_NORESERVE = 0x4000
# End of the first dim of a far tensor, in elements: a 32-bit offset wraps before.
DISTANCE, BEFORE = 2**32, 2**31
# The last byte of an element of poison; all others are 0xff. As a float it is NaN, as an integer -1
# or the largest.
POISONS = (0xFF, 0x7F)


@dataclass(frozen=True)
class Memory:
    """A tensor, and the bytes around it and between its rows, which nobody may write."""

    whole: np.ndarray
    array: np.ndarray
    poison: np.ndarray

    @property
    def first(self) -> int:
        """The place of the tensor in `whole`."""
        return int(self.array.ctypes.data - self.whole.ctypes.data)

    @cached_property
    def outside(self) -> np.ndarray:
        """Of each byte, whether it belongs to no element."""
        mask = np.ones(self.whole.size, bool)
        first = self.first
        steps, itemsize = (*self.array.strides, 1), self.array.itemsize
        inside: np.ndarray = np.ndarray((*self.array.shape, itemsize), bool, mask, first, steps)
        inside[...] = False
        return mask

    def overwritten(self) -> np.ndarray:
        """The bytes outside that were written, counted from the first of the tensor."""
        return np.flatnonzero((self.whole != self.poison) & self.outside) - self.first

    def unwritten(self) -> np.ndarray:
        """Of each element, whether it is still poison."""
        itemsize = self.array.itemsize
        bits = np.ascontiguousarray(self.array).reshape(-1).view(np.uint8).reshape(-1, itemsize)
        first = self.first
        element = self.poison[first : first + itemsize]
        same: np.ndarray = (bits == element).all(1).reshape(self.array.shape)
        return same


def allocate(
    shape: Sequence[int],
    dtype: np.dtype,
    *,
    order: Sequence[int] | None = None,
    pitch: int | None = None,
    last: int = POISONS[0],
    shift: int = 0,
) -> Memory:
    """Memory of `shape` and `dtype`, all poison whose elements end in the byte `last`.

    `order` has its dims from the slowest to the fastest, `pitch` is how many elements lie between
    rows. It begins `shift` bytes after a multiple of `ALIGN`.
    """
    order = range(len(shape)) if order is None else order
    strides, step = [0] * len(shape), dtype.itemsize
    for place, dim in enumerate(reversed(order)):
        strides[dim] = step
        step *= max(shape[dim], 1) if place or pitch is None else max(pitch, 1)
    used = step if prod(shape) else 0
    zone = -(-(ZONE + min(used, LARGEST_ZONE)) // ALIGN) * ALIGN
    size = 2 * zone + used + ALIGN
    raw = np.empty(size + ALIGN, np.uint8)
    begin = -raw.ctypes.data % ALIGN
    whole = raw[begin : begin + size]
    part = dtype.itemsize // (2 if dtype.kind == "c" else 1)
    element = b"\xff" * (part - 1) + bytes([last])
    start = zone + shift
    filled = np.frombuffer(element * (size // part + 2), np.uint8)
    whole[:] = filled[-start % part :][:size]
    array: np.ndarray = np.ndarray(tuple(shape), dtype, whole, start, tuple(strides))
    return Memory(whole, array, whole.copy())


def far(array: np.ndarray) -> Memory:
    """A copy whose first dim of several steps spans more than 2**32 elements.

    Zeros fill the gaps, and the 2**31 elements before. An offset that wraps at 32 bits, with a sign
    or without, reaches one of these. Writes there are not noticed.
    """
    dim = next((n for n, size in enumerate(array.shape[:-1]) if size > 1), 0)
    steps = max(array.shape[dim] - 1, 1)
    strides = list(np.ndarray(array.shape, array.dtype).strides)
    strides[dim] = (DISTANCE // steps + 1000) * array.itemsize
    used = steps * strides[dim] + array.nbytes
    size = BEFORE * array.itemsize + used
    raw = mmap(-1, size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)
    made: np.ndarray = np.ndarray(
        array.shape, array.dtype, raw, BEFORE * array.itemsize, tuple(strides)
    )
    made[...] = array
    return Memory(np.empty(0, np.uint8), made, np.empty(0, np.uint8))
