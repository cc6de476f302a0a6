"""The part of `nki.language` that our kernels use, over NumPy.

It enforces the reference's rules. A tile has at most 128 partitions. Tensors in HBM are only loaded
and stored. Every element of a result has to be stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

float32 = np.float32
shared_hbm, sbuf = "shared_hbm", "sbuf"
PARTITIONS = 128

_shared: list[Tensor] = []
_program: tuple[int, ...] = ()
_allocated = 0


class Tensor:
    """A tensor in HBM. Only slices of it are loaded and stored."""

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def reshape(self, shape: tuple[int, ...]) -> Tensor:
        return Tensor(self.array.reshape(shape))

    def __getitem__(self, index: tuple[slice, ...]) -> Tensor:
        part = self.array[index]
        lengths = tuple(s.stop - s.start for s in index)
        assert part.shape == lengths, f"{index} is outside of {self.shape}"
        return Tensor(part)


def reset() -> None:
    _shared.clear()


def start(program: tuple[int, ...]) -> None:
    """Begin the program of one point of the grid."""
    global _program, _allocated
    _program, _allocated = program, 0


def program_id(axis: int) -> int:
    return _program[axis]


def ds(start: int, size: int) -> slice:
    return slice(start, start + size)


def ndarray(shape: tuple[int, ...], dtype: Any, buffer: str) -> Any:
    """In HBM the same tensor for every program; it holds NaN, as the simulator's does."""
    global _allocated
    if buffer == sbuf:
        assert shape[0] <= PARTITIONS, f"a tile of {shape[0]} partitions"
        return np.full(shape, np.nan, dtype)
    assert buffer == shared_hbm
    if _allocated == len(_shared):
        filler = np.nan if np.dtype(dtype).kind == "f" else 4
        _shared.append(Tensor(np.full(shape, filler, dtype)))
    _allocated += 1
    return _shared[_allocated - 1]


def zeros(shape: tuple[int, ...], dtype: Any, buffer: str) -> np.ndarray:
    """A tile."""
    tile: np.ndarray = ndarray(shape, dtype, buffer)
    tile[...] = 0
    return tile


def load(part: Tensor, dtype: Any = None) -> np.ndarray:
    assert part.shape[0] <= PARTITIONS, f"a tile of {part.shape[0]} partitions"
    return part.array.astype(dtype or part.dtype)


def store(part: Tensor, value: np.ndarray) -> None:
    assert part.shape == value.shape, f"{value.shape} stored to {part.shape}"
    part.array[...] = value.astype(part.dtype)


def _tile(x: Any) -> Any:
    assert not isinstance(x, Tensor), "a tensor in HBM has to be loaded first"
    return x


def add(x: Any, y: Any) -> np.ndarray:
    return np.add(_tile(x), _tile(y))


def multiply(x: Any, y: Any) -> np.ndarray:
    return np.multiply(_tile(x), _tile(y))


def subtract(x: Any, y: Any) -> np.ndarray:
    return np.subtract(_tile(x), _tile(y))


def divide(x: Any, y: Any) -> np.ndarray:
    return np.divide(_tile(x), _tile(y))


def equal(x: Any, y: Any, dtype: Any = bool) -> np.ndarray:
    return np.equal(_tile(x), _tile(y)).astype(dtype)


def not_equal(x: Any, y: Any, dtype: Any = bool) -> np.ndarray:
    return np.not_equal(_tile(x), _tile(y)).astype(dtype)


def where(condition: np.ndarray, x: Any, y: Any) -> np.ndarray:
    return np.where(condition != 0, _tile(x), np.float32(_tile(y)))


def maximum(x: Any, y: Any) -> np.ndarray:
    return np.maximum(_tile(x), _tile(y))


def square(x: Any) -> np.ndarray:
    return np.square(_tile(x))


def rsqrt(x: Any) -> np.ndarray:
    return 1 / np.sqrt(_tile(x))


def exp(x: Any) -> np.ndarray:
    return np.exp(_tile(x))


def log(x: Any) -> np.ndarray:
    return np.log(_tile(x))


def silu(x: Any) -> np.ndarray:
    return _tile(x) / (1 + np.exp(-_tile(x)))


def transpose(x: Any) -> np.ndarray:
    assert x.ndim == 2 and x.shape[1] <= PARTITIONS, f"a tile of {x.shape}"
    return np.transpose(_tile(x))


def max(x: Any, axis: int, keepdims: bool = False) -> np.ndarray:
    assert axis == 1, "free dimensions only"
    return np.max(_tile(x), axis=axis, keepdims=keepdims)


def sum(x: Any, axis: int, keepdims: bool = False) -> np.ndarray:
    assert axis == 1, "free dimensions only"
    return np.sum(_tile(x), axis=axis, keepdims=keepdims)


def broadcast_to(x: Any, shape: tuple[int, ...]) -> np.ndarray:
    return np.broadcast_to(_tile(x), shape)
