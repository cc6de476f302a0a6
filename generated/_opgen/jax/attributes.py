"""Convert attrs to static arguments of `jax.jit` and to typed attributes of XLA's FFI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import numpy as np

from ..core.attrs import SCALARS
from ..core.kinds import as_kind
from .arrays import NAMES
from .dtypes import CODES


def static(op: str, name: str, value: Any, kind: str) -> Any:
    """Convert attr `name` to the spec's kind, so that it can be a static argument of `jax.jit`.

    The conversion is needed because JAX treats 1, 1.0 and True as the same value: a program
    compiled for one would run for another. Raises TypeError for a wrong kind, and ValueError for a
    value that does not fit in 64 bits.
    """
    items = value if isinstance(value, list | tuple) else (value,)
    if kind == "int[]" and items is value and set(map(type, value)) == {int}:
        return tuple(value)
    if any(isinstance(each, jax.Array | np.ndarray) for each in items):
        raise TypeError(
            f"{op}: {name}: expected a Python value, which JAX compiles for, got an array"
        )
    return as_kind(op, name, dtype_of(value) if "dtype" in kind else value, kind)


def dtype_of(value: Any) -> Any:
    """Return the spec's name of `value` if it is a dtype that `jnp.zeros` accepts. Any other value
    is unchanged.
    """
    if value in (bool, int, float, complex):
        return NAMES[jax.dtypes.canonicalize_dtype(value)]
    if isinstance(value, str) and value in CODES:
        return value
    if not isinstance(value, str | type | np.dtype):
        return value
    try:
        return NAMES.get(np.dtype(value), value)
    except TypeError:
        return value


def hashable(values: Any) -> Any:
    """Return a list as a tuple, which `jax.jit` can hash. Other values are unchanged."""
    return tuple(values) if isinstance(values, list) else values


def dtype_code(name: str) -> np.int64:
    """Return the code that represents a dtype in descriptors."""
    return np.int64(CODES[name])


# For each type of attrs that XLA can pass: the function that converts a value to a typed attribute
# of a custom call.
ATTRIBUTES: Mapping[str, Callable[[Any], Any]] = {
    "float": np.float64,
    "int": np.int64,
    "bool": np.bool_,
    "str": str.encode,
    "dtype": dtype_code,
    "float[]": partial(np.asarray, dtype=np.float64),
    "int[]": partial(np.asarray, dtype=np.int64),
}


def attribute(kind: str) -> Callable[[Any], Any]:
    """Return the function that converts an attr of type `kind` to a typed attribute."""
    scalar = SCALARS.get(kind)
    if scalar is None or not scalar.passed:
        return ATTRIBUTES[kind]
    as_list = ATTRIBUTES[f"{scalar.passed.partition('[')[0]}[]"]
    return lambda value: as_list(scalar.encoded(value))
