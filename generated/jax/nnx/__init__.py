"""Layers for Flax NNX. Rendered by opgen."""

from ._embedding import Embedding
from ._layer_norm import LayerNorm
from ._rms_layer_norm import RMSLayerNorm
from ._rms_norm import RMSNorm

__all__ = [
    "Embedding",
    "LayerNorm",
    "RMSLayerNorm",
    "RMSNorm",
]
