"""Keys of `jax.random` in the place of seeds. Rendered by opgen."""

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
    """The inputs of a call, with an integer in place of each key. JAX draws nothing by itself."""
    found = list(inputs)
    for position in kernel.seeds:
        found[position] = _seed(kernel, position, found[position])
    return tuple(found)


def _seed(kernel: Kernel, position: int, value: Any) -> Any:
    if value is None:
        raise TypeError(
            f"{kernel.core.name}: {kernel.arguments[position]}: expected a key of `jax.random` "
            "or an integer, got None: JAX draws no seed by itself"
        )
    if not _is_key(value):
        return value
    dtype = DTYPES[narrowed("i64")]
    bits = jax.random.bits(value, (), DTYPES[narrowed("u64")])
    return jax.lax.convert_element_type(bits >> 1, dtype)  # no seed is negative


def _is_key(value: Any) -> bool:
    """Whether it is one key, also of the old kind: the words of its state."""
    if not hasattr(value, "dtype") or not hasattr(value, "ndim"):
        return False
    old: bool = value.ndim == 1 and value.dtype == np.uint32
    return old or (value.ndim == 0 and jnp.issubdtype(value.dtype, jax.dtypes.prng_key))
