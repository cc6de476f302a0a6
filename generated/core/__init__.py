"""What a call of each op may look like, without any framework. Rendered by opgen.

`<op>.infer` checks a call and gives the shapes and dtypes of its results; `<op>.pack` and
`<op>.unpack` convert the descriptor that a kernel gets.
"""

from ._relu import relu
from ._relu_bwd import relu_bwd
from ._rms_norm import rms_norm
from ._rms_norm_bwd import rms_norm_bwd
from ._tensor_add import tensor_add
from ._tensor_negate import tensor_negate
from ._runtime import CoreOp, TensorSpec

__all__ = [
    "CoreOp",
    "TensorSpec",
    "relu",
    "relu_bwd",
    "rms_norm",
    "rms_norm_bwd",
    "tensor_add",
    "tensor_negate",
]
