"""The part of `nki.isa` that our kernels use, over NumPy."""

from __future__ import annotations

import numpy as np


def iota(
    dst: np.ndarray, pattern: list[list[int]], offset: int = 0, channel_multiplier: int = 0
) -> None:
    """`offset`, plus a number per partition, plus a step per position in the free dim."""
    ((step, count),) = pattern
    partitions, places = np.arange(dst.shape[0]), np.arange(count)
    assert dst.shape == (len(partitions), count)
    dst[...] = offset + channel_multiplier * partitions[:, None] + step * places
