"""The dtypes in which modules of Equinox compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike


def widened(x: ArrayLike, *parameters: jax.Array | None) -> Sequence[Any]:
    """Parameters in what their dtype and that of `x` promote to, so that none is rounded.

    A layer of Equinox computes so, and gives the dtype of its input.
    """
    dtype = jnp.result_type(x)
    return [p if p is None else p.astype(jnp.promote_types(dtype, p.dtype)) for p in parameters]
