"""The dtypes in which Equinox modules compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike


def widened(x: ArrayLike, *parameters: jax.Array | None) -> Sequence[Any]:
    """Cast each parameter to the promotion of its dtype with `x.dtype`, so that none is rounded.

    Equinox layers compute this way, and return the dtype of their input.
    """
    dtype = jnp.result_type(x)
    return [p if p is None else p.astype(jnp.promote_types(dtype, p.dtype)) for p in parameters]
