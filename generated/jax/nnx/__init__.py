"""The part of this package that needs `nnx`. Rendered by opgen."""

from ._embedding_jax_nnx import Embedding
from ._layer_norm_jax_nnx import LayerNorm
from ._rms_layer_norm_jax_nnx import RMSLayerNorm
from ._rms_norm_jax_nnx import RMSNorm

__all__ = [
    "Embedding",
    "LayerNorm",
    "RMSLayerNorm",
    "RMSNorm",
]
