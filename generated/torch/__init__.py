"""The ops for PyTorch. Rendered by opgen.

The functions check nothing that the kernels check: they explain what went wrong. The ops
themselves are `torch.ops.generated.<op>`.
"""

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
