"""`rms_norm` as a module of Equinox.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike, DTypeLike

from ..._opgen import jax as _runtime
from .._rms_norm import rms_norm


class RMSNorm(eqx.Module):
    """Root-mean-square normalization of `x` over its trailing dims, scaled by `weight`.

    `rms_norm` as a module, which holds `weight`.

    Args:
        shape (int | Sequence[int])
        eps (float): at least 0. Default: 1e-05.
        dtype (DTypeLike | None): Of the parameters, by default JAX's default float. Default: None.
    """

    shape: tuple[int, ...] = eqx.field(static=True)
    eps: float = eqx.field(static=True)
    weight: jax.Array

    def __init__(
        self, shape: int | Sequence[int], *, eps: float = 1e-05, dtype: DTypeLike | None = None
    ) -> None:
        if isinstance(shape, int):
            shape = (shape,)
        self.shape = tuple(shape)
        self.eps = eps
        self.weight = jnp.ones(self.shape, dtype)

    def __call__(self, x: ArrayLike, *, key: jax.Array | None = None) -> jax.Array:
        (weight,) = _runtime.widened(x, self.weight)
        return rms_norm(x, weight, eps=self.eps).astype(jnp.result_type(x))
