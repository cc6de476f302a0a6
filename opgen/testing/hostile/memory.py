"""The memory of a tensor in a hostile test: full of poison, and surrounded by known bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap

import numpy as np

from opgen.source.frozen import dataclass

# Before and after a tensor are `ZONE` bytes, plus its own size up to `LARGEST_ZONE` bytes.
ZONE, LARGEST_ZONE = 4096, 2**16
# Alignment of memory that frameworks allocate.
ALIGN = 64
# With this flag, Linux reserves no memory for pages that are never touched.
MAP_NORESERVE = 0x4000
# In elements: the span of a far tensor's first dim, so that 32-bit offsets wrap, and the gap before
# the tensor.
DISTANCE, BEFORE = 2**32, 2**31
# The last byte of an element of poison. All other bytes are 0xff. As a float, such an element is
# NaN. As an integer, it is -1 or the largest integer.
POISONS = (0xFF, 0x7F)


@dataclass(frozen=True)
class Memory:
    """A tensor, and the bytes around it and between its rows, which a kernel must not write."""

    whole: np.ndarray
    array: np.ndarray
    poison: np.ndarray

    @property
    def first(self) -> int:
        """Return the position of the tensor in `whole`."""
        return int(self.array.ctypes.data - self.whole.ctypes.data)

    @cached_property
    def outside(self) -> np.ndarray:
        """Return a mask of the bytes that belong to no element."""
        mask = np.ones(self.whole.size, bool)
        first = self.first
        steps, itemsize = (*self.array.strides, 1), self.array.itemsize
        inside: np.ndarray = np.ndarray((*self.array.shape, itemsize), bool, mask, first, steps)
        inside[...] = False
        return mask

    def overwritten(self) -> np.ndarray:
        """Return the overwritten bytes outside of the tensor, as offsets from its first byte."""
        return np.flatnonzero((self.whole != self.poison) & self.outside) - self.first

    def unwritten(self) -> np.ndarray:
        """Return a mask of the elements that still hold poison."""
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
    """Allocate memory for a tensor, full of poison elements that end in the byte `last`.

    `order` is the memory order: the dims, from the slowest-varying to the fastest. `pitch` is the
    number of elements between the starts of two rows. The tensor begins `shift` bytes after a
    multiple of `ALIGN`.
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
    """Return a copy with a stride so large that one dim spans more than 2**32 elements.

    Zeros fill the gaps and the 2**31 elements before the tensor. An offset that wraps at 32 bits,
    signed or unsigned, reads one of these zeros. Writes to the zeros are not detected.
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
