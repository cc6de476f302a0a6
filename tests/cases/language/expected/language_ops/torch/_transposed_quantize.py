"""`transposed_quantize` for PyTorch.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from ..bundles import Quantized
from .._opgen.core.bundles import bundle as _bundle
from .._opgen import torch as _runtime

_runtime.saved(Quantized)
_reference = _runtime.reference("weights", "transposed_quantize")
_runtime.fall_back("transposed_quantize", _reference)
_op = _runtime.register(
    "transposed_quantize", rule=("op transposed_quantize -> q_data q_scale", "refuse x")
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def _flat_transposed_quantize(x: Tensor) -> tuple[Tensor, Tensor]:
    """`transposed_quantize` of the tensors of its bundles, one by one."""
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("transposed_quantize", error, x) from None


def transposed_quantize(x: Tensor) -> Quantized:
    """The transpose of a matrix in 8 bits, a scale for each of its rows.

    Args:
        x (Tensor): shape `(m, k)`, float32 or float64.

    Returns:
        Quantized: `data`: shape `(k, m)`, int8. `scale`: a factor for each row of `data`. Shape
            `(k,)`, float32.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    q_data, q_scale = _flat_transposed_quantize(x)
    return _bundle(Quantized, q_data, q_scale, None)
