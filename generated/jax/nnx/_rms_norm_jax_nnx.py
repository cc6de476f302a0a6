"""`RMSNorm` for Flax NNX, which calls the op `rms_norm`."""

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

from .. import rms_norm

__all__ = ["RMSNorm"]


class RMSNorm(nnx.Module):
    """Root-mean-square normalization of `x` over its trailing dims, scaled by `weight`.

    The module calls the op `rms_norm`. Its parameter is `scale`.

    Args:
        num_features (int | Sequence[int])
        epsilon (float): at least 0. Default: 1e-05.
        dtype (DTypeLike | None): Dtype of the computation. By default, the promoted dtype of
            inputs and parameters. Default: None.
        param_dtype (DTypeLike): Dtype of the parameters. Default: jnp.float32.
        scale_init (Initializer): Initializer of `scale`. Default: nnx.initializers.ones.
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
        epsilon: float = 1e-05,
        dtype: DTypeLike | None = None,
        param_dtype: DTypeLike = jnp.float32,
        scale_init: Initializer = nnx.initializers.ones,
        promote_dtype: PromoteDtypeFn = dtypes.promote_dtype,
        rngs: nnx.Rngs,
        scale_metadata: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        if isinstance(num_features, int):
            num_features = (num_features,)
        self.num_features = tuple(num_features)
        self.epsilon = epsilon
        self.dtype = dtype
        self.promote_dtype = promote_dtype
        self.scale = nnx.Param(
            scale_init(rngs.params(), self.num_features, param_dtype), **scale_metadata
        )

    def __call__(self, x: ArrayLike) -> jax.Array:
        scale = self.scale[...]
        x, scale = self.promote_dtype((x, scale), dtype=self.dtype)
        return rms_norm(x, scale, eps=self.epsilon)
