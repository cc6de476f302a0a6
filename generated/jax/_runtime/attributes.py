"""Attributes as XLA's FFI takes them. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .dtypes import CODES


def hashable(values: Any) -> Any:
    """A list as a tuple, which `jax.jit` can tell from others; anything else as it is."""
    return tuple(values) if isinstance(values, list) else values


def dtype_code(name: str) -> np.int64:
    """A dtype travels as its code in descriptors."""
    return np.int64(CODES[name])


def float_list(values: Sequence[float]) -> np.ndarray:
    return np.asarray(values, np.float64)


def int_list(values: Sequence[int]) -> np.ndarray:
    return np.asarray(values, np.int64)
