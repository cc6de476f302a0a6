"""`Embedding` for Flax NNX, which calls the op `embedding`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
from flax import nnx
from flax.nnx.nn import dtypes
from flax.typing import PromoteDtypeFn
from jax.nn.initializers import Initializer
from jax.typing import ArrayLike, DTypeLike

from generated.jax import embedding as _embedding

__all__ = ["Embedding"]


class Embedding(nnx.Module):
    """Rows of `weight` at `indices`; the row of `padding_idx` gets no gradient.

    The module calls the op `embedding`. Its parameter is `embedding`.

    Args:
        num_embeddings (int)
        features (int)
        padding_idx (int | None): A row that gets no gradient. A negative number counts
            from the end. Default: None.
        dtype (DTypeLike | None): Dtype of the computation. By default, the promoted dtype of
            inputs and parameters. Default: None.
        param_dtype (DTypeLike): Dtype of the parameters. Default: jnp.float32.
        embedding_init (Initializer): Initializer of `embedding`. Default:
            nnx.initializers.variance_scaling(1.0, "fan_in", "normal", out_axis=0).
        promote_dtype (PromoteDtypeFn): Function that casts inputs and parameters to one dtype.
            Default: dtypes.promote_dtype.
        rngs (nnx.Rngs): Source of the initializers' keys, one for each parameter.
        embedding_metadata (Mapping[str, Any]): Further arguments of the `Param` of `embedding`.
            Default: MappingProxyType({}).
    """

    def __init__(
        self,
        num_embeddings: int,
        features: int,
        *,
        padding_idx: int | None = None,
        dtype: DTypeLike | None = None,
        param_dtype: DTypeLike = jnp.float32,
        embedding_init: Initializer = nnx.initializers.variance_scaling(
            1.0, "fan_in", "normal", out_axis=0
        ),
        promote_dtype: PromoteDtypeFn = dtypes.promote_dtype,
        rngs: nnx.Rngs,
        embedding_metadata: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.num_embeddings = num_embeddings
        self.features = features
        self.padding_idx = padding_idx
        self.dtype = dtype
        self.promote_dtype = promote_dtype
        embedding = embedding_init(rngs.params(), (self.num_embeddings, self.features), param_dtype)
        if padding_idx is not None:
            embedding = embedding.at[padding_idx].set(0)
        self.embedding = nnx.Param(embedding, **embedding_metadata)

    def __call__(self, indices: ArrayLike) -> jax.Array:
        embedding = self.embedding[...]
        (embedding,) = self.promote_dtype((embedding,), dtype=self.dtype)
        return _embedding(embedding, indices, padding_idx=self.padding_idx)
