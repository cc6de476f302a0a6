"""`embedding` as a module of Equinox.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

import equinox as eqx
import jax
from jax.typing import ArrayLike, DTypeLike

from .._embedding import embedding


class Embedding(eqx.Module):
    """Rows of `weight` at `indices`; that of `padding_idx` gets no gradient.

    `embedding` as a module, which holds `weight`.

    Args:
        num_embeddings (int)
        embedding_size (int)
        padding_idx (int | None): A row that gets no gradient; below 0 it counts from the end.
            Default: None.
        dtype (DTypeLike | None): Of the parameters, by default JAX's default float. Default: None.
        key (jax.Array): Of the first values that are drawn.
    """

    num_embeddings: int = eqx.field(static=True)
    embedding_size: int = eqx.field(static=True)
    padding_idx: int | None = eqx.field(static=True)
    weight: jax.Array

    def __init__(
        self,
        num_embeddings: int,
        embedding_size: int,
        *,
        padding_idx: int | None = None,
        dtype: DTypeLike | None = None,
        key: jax.Array,
    ) -> None:
        self.num_embeddings = num_embeddings
        self.embedding_size = embedding_size
        self.padding_idx = padding_idx
        weight = jax.random.normal(
            key, (self.num_embeddings, self.embedding_size), float if dtype is None else dtype
        )
        if padding_idx is not None:
            weight = weight.at[padding_idx].set(0)
        self.weight = weight

    def __call__(self, indices: ArrayLike, *, key: jax.Array | None = None) -> jax.Array:
        weight = self.weight
        return embedding(weight, indices, padding_idx=self.padding_idx)
