"""Let callers pass keys of `jax.random` in place of integer seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .arrays import narrowed
from .dtypes import DTYPES
from .kernel import Kernel


def seeded(kernel: Kernel, inputs: Sequence[Any]) -> tuple[Any, ...]:
    """Return a call's inputs, with an integer seed in place of each `jax.random` key.

    Raises TypeError for a missing seed, because JAX draws no seed by itself.
    """
    found = list(inputs)
    for position, each in enumerate(kernel.facts.inputs):
        if each.seed and not (each.optional and found[position] is None):
            found[position] = _seed(kernel, position, found[position])
    return tuple(found)


def _seed(kernel: Kernel, position: int, value: Any) -> Any:
    name = f"{kernel.core.name}: {kernel.arguments[position]}"
    wanted = f"{name}: expected a key of `jax.random` or an integer, got "
    if value is None:
        raise TypeError(f"{wanted}None: JAX draws no seed by itself")
    if not _is_key(value):
        return value
    try:
        bits = jax.random.bits(value, (), DTYPES[narrowed("u64")])
    except (TypeError, ValueError):  # several keys, or words that are not a key
        raise TypeError(f"{wanted}{jax.typeof(value).str_short()}") from None
    return jax.lax.convert_element_type(bits >> 1, DTYPES[narrowed("i64")])  # not negative


def _is_key(value: Any) -> bool:
    """Return whether a value is a key or an array of keys. Old-style keys are arrays of uint32."""
    if not hasattr(value, "dtype") or not hasattr(value, "ndim"):
        return False
    old: bool = value.ndim > 0 and value.dtype == np.uint32
    return old or jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
