"""The ops for JAX. Rendered by opgen."""

from ._relu import relu
from ._relu_bwd import relu_bwd
from ._rms_norm import rms_norm
from ._rms_norm_bwd import rms_norm_bwd
from ._tensor_add import tensor_add
from ._tensor_negate import tensor_negate

__all__ = [
    "relu",
    "relu_bwd",
    "rms_norm",
    "rms_norm_bwd",
    "tensor_add",
    "tensor_negate",
]
