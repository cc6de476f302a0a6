"""`LayerNorm` for Flax NNX, which calls the op `layer_norm`."""

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

from .. import layer_norm

__all__ = ["LayerNorm"]


class LayerNorm(nnx.Module):
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled and shifted.

    The module calls the op `layer_norm`. Its parameters are `scale` and `bias`.

    Args:
        num_features (int | Sequence[int])
        epsilon (float): at least 0. Default: 1e-05.
        dtype (DTypeLike | None): Dtype of the computation. By default, the promoted dtype of
            inputs and parameters. Default: None.
        param_dtype (DTypeLike): Dtype of the parameters. Default: jnp.float32.
        use_scale (bool): If True, the module has a `scale`. Default: True.
        use_bias (bool): If True, the module has a `bias`. Default: True.
        scale_init (Initializer): Initializer of `scale`. Default: nnx.initializers.ones.
        bias_init (Initializer): Initializer of `bias`. Default: nnx.initializers.zeros.
        promote_dtype (PromoteDtypeFn): Function that casts inputs and parameters to one dtype.
            Default: dtypes.promote_dtype.
        rngs (nnx.Rngs): Source of the initializers' keys, one for each parameter.
        scale_metadata (Mapping[str, Any]): Further arguments of the `Param` of `scale`. Default:
            MappingProxyType({}).
        bias_metadata (Mapping[str, Any]): Further arguments of the `Param` of `bias`. Default:
            MappingProxyType({}).
    """

    def __init__(
        self,
        num_features: int | Sequence[int],
        *,
        epsilon: float = 1e-05,
        dtype: DTypeLike | None = None,
        param_dtype: DTypeLike = jnp.float32,
        use_scale: bool = True,
        use_bias: bool = True,
        scale_init: Initializer = nnx.initializers.ones,
        bias_init: Initializer = nnx.initializers.zeros,
        promote_dtype: PromoteDtypeFn = dtypes.promote_dtype,
        rngs: nnx.Rngs,
        scale_metadata: Mapping[str, Any] = MappingProxyType({}),
        bias_metadata: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        if isinstance(num_features, int):
            num_features = (num_features,)
        self.num_features = tuple(num_features)
        self.epsilon = epsilon
        self.dtype = dtype
        self.promote_dtype = promote_dtype
        self.scale = nnx.data(None)
        if use_scale:
            self.scale = nnx.Param(
                scale_init(rngs.params(), self.num_features, param_dtype), **scale_metadata
            )
        self.bias = nnx.data(None)
        if use_bias:
            self.bias = nnx.Param(
                bias_init(rngs.params(), self.num_features, param_dtype), **bias_metadata
            )

    def __call__(self, x: ArrayLike) -> jax.Array:
        scale = None if self.scale is None else self.scale[...]
        bias = None if self.bias is None else self.bias[...]
        x, scale, bias = self.promote_dtype((x, scale, bias), dtype=self.dtype)
        return layer_norm(x, scale, bias, normalized_shape=self.num_features, eps=self.epsilon)
