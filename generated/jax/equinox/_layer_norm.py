"""`layer_norm` as a module of Equinox.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike, DTypeLike

from ..._opgen import jax as _runtime
from .._layer_norm import layer_norm


class LayerNorm(eqx.Module):
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled and shifted.

    `layer_norm` as a module, which holds `weight` and `bias`.

    Args:
        shape (int | Sequence[int])
        eps (float): at least 0. Default: 1e-05.
        use_weight (bool): Whether there is a `weight`. Default: True.
        use_bias (bool): Whether there is a `bias`. Default: True.
        dtype (DTypeLike | None): Of the parameters, by default JAX's default float. Default: None.
    """

    shape: tuple[int, ...] = eqx.field(static=True)
    eps: float = eqx.field(static=True)
    use_weight: bool = eqx.field(static=True)
    use_bias: bool = eqx.field(static=True)
    weight: jax.Array | None
    bias: jax.Array | None

    def __init__(
        self,
        shape: int | Sequence[int],
        *,
        eps: float = 1e-05,
        use_weight: bool = True,
        use_bias: bool = True,
        dtype: DTypeLike | None = None,
    ) -> None:
        if isinstance(shape, int):
            shape = (shape,)
        self.shape = tuple(shape)
        self.eps = eps
        self.use_weight = use_weight
        self.use_bias = use_bias
        self.weight = None
        if use_weight:
            self.weight = jnp.ones(self.shape, dtype)
        self.bias = None
        if use_bias:
            self.bias = jnp.zeros(self.shape, dtype)

    def __call__(self, x: ArrayLike, *, key: jax.Array | None = None) -> jax.Array:
        weight, bias = _runtime.widened(x, self.weight, self.bias)
        return layer_norm(x, weight, bias, normalized_shape=self.shape, eps=self.eps)
