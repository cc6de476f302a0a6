"""`rms_layer_norm` as a module of Equinox.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike, DTypeLike

from ..._opgen import jax as _runtime
from .._rms_layer_norm import rms_layer_norm


class RMSLayerNorm(eqx.Module):
    """`x` over the root mean square of its trailing dims, times `weight + offset`, in x's dtype:
    the norms of PyTorch, Llama and Gemma.

    `rms_layer_norm` as a module, which holds `weight`.

    Args:
        shape (int | Sequence[int])
        eps (float | None): By default the epsilon of f32, of f64 for f64, as
            `torch.nn.functional.rms_norm` has it. At least 0. Default: None.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product by the weight, as Llama does.
            Default: False.
        use_weight (bool): Whether there is a `weight`. Default: True.
        dtype (DTypeLike | None): Of the parameters, by default JAX's default float. Default: None.
    """

    shape: tuple[int, ...] = eqx.field(static=True)
    eps: float | None = eqx.field(static=True)
    offset: float = eqx.field(static=True)
    cast_first: bool = eqx.field(static=True)
    use_weight: bool = eqx.field(static=True)
    weight: jax.Array | None

    def __init__(
        self,
        shape: int | Sequence[int],
        *,
        eps: float | None = None,
        offset: float = 0.0,
        cast_first: bool = False,
        use_weight: bool = True,
        dtype: DTypeLike | None = None,
    ) -> None:
        if isinstance(shape, int):
            shape = (shape,)
        self.shape = tuple(shape)
        self.eps = eps
        self.offset = offset
        self.cast_first = cast_first
        self.use_weight = use_weight
        self.weight = None
        if use_weight:
            self.weight = jnp.full(self.shape, 1 - self.offset, float if dtype is None else dtype)

    def __call__(self, x: ArrayLike, *, key: jax.Array | None = None) -> jax.Array:
        (weight,) = _runtime.widened(x, self.weight)
        return rms_layer_norm(
            x,
            weight,
            normalized_shape=self.shape,
            eps=self.eps,
            offset=self.offset,
            cast_first=self.cast_first,
        )
