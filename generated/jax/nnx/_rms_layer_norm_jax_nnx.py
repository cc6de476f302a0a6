"""`RMSLayerNorm` for Flax NNX, which calls the op `rms_layer_norm`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
from flax import nnx
from flax.nnx.nn import dtypes
from flax.typing import PromoteDtypeFn
from jax.nn.initializers import Initializer
from jax.typing import ArrayLike, DTypeLike

from .. import rms_layer_norm

__all__ = ["RMSLayerNorm"]


class RMSLayerNorm(nnx.Module):
    """Divide `x` by the root mean square of its trailing dims, then multiply by `weight + offset`.

    The result has x's dtype. PyTorch, Llama and Gemma use such norms.

    The module calls the op `rms_layer_norm`. Its parameter is `scale`.

    Args:
        num_features (int | Sequence[int])
        epsilon (float | None): At least 0. By default the epsilon of f32 (of f64 for f64), as in
            `torch.nn.functional.rms_norm`. Default: None.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product with the weight, as Llama does.
            Default: False.
        dtype (DTypeLike | None): Dtype of the computation. By default, the promoted dtype of
            inputs and parameters. Default: None.
        param_dtype (DTypeLike): Dtype of the parameters. Default: jnp.float32.
        use_scale (bool): If True, the module has a `scale`. Default: True.
        scale_init (Initializer | None): Initializer of `scale`; by default `1 - offset`. Default:
            None.
        promote_dtype (PromoteDtypeFn): Function that casts inputs and parameters to one dtype.
            Default: dtypes.promote_dtype.
        rngs (nnx.Rngs): Source of the initializers' keys, one for each parameter.
        scale_metadata (Mapping[str, Any]): Further arguments of the `Param` of `scale`. Default:
            MappingProxyType({}).
    """

    def __init__(
        self,
        num_features: int | Sequence[int],
        *,
        epsilon: float | None = None,
        offset: float = 0.0,
        cast_first: bool = False,
        dtype: DTypeLike | None = None,
        param_dtype: DTypeLike = jnp.float32,
        use_scale: bool = True,
        scale_init: Initializer | None = None,
        promote_dtype: PromoteDtypeFn = dtypes.promote_dtype,
        rngs: nnx.Rngs,
        scale_metadata: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        if isinstance(num_features, int):
            num_features = (num_features,)
        self.num_features = tuple(num_features)
        self.epsilon = epsilon
        self.offset = offset
        self.cast_first = cast_first
        self.dtype = dtype
        self.promote_dtype = promote_dtype
        if scale_init is None:
            scale_init = nnx.initializers.constant(1 - self.offset)
        self.scale = nnx.data(None)
        if use_scale:
            self.scale = nnx.Param(
                scale_init(rngs.params(), self.num_features, param_dtype), **scale_metadata
            )

    def __call__(self, x: ArrayLike) -> jax.Array:
        scale = None if self.scale is None else self.scale[...]
        x, scale = self.promote_dtype((x, scale), dtype=self.dtype)
        return rms_layer_norm(
            x,
            scale,
            normalized_shape=self.num_features,
            eps=self.epsilon,
            offset=self.offset,
            cast_first=self.cast_first,
        )
