"""`RMSLayerNorm` for Flax NNX, by the op `rms_layer_norm`."""

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
    """`x` over the root mean square of its trailing dims, times `weight + offset`, in x's dtype:
    the norms of PyTorch, Llama and Gemma.

    `rms_layer_norm` as a module, which holds `scale`.

    Args:
        num_features (int | Sequence[int])
        epsilon (float | None): By default the epsilon of f32, of f64 for f64, as
            `torch.nn.functional.rms_norm` has it. At least 0. Default: None.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product by the weight, as Llama does.
            Default: False.
        dtype (DTypeLike | None): Dtype of the computation; by default the promotion of inputs and
            parameters. Default: None.
        param_dtype (DTypeLike): Dtype of the parameters. Default: jnp.float32.
        use_scale (bool): Whether there is a `scale`. Default: True.
        scale_init (Initializer | None): Initializer of `scale`; by default `1 - offset`. Default:
            None.
        promote_dtype (PromoteDtypeFn): Function that brings inputs and parameters to one dtype.
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
