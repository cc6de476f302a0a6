"""`linear` for PyTorch.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from ..bundles import Quantized
from .._opgen.core.bundles import members as _members
from .._opgen import torch as _runtime

_runtime.saved(Quantized)
_reference = _runtime.reference("linear")
_runtime.fall_back("linear", _reference)
_op = _runtime.register(
    "linear",
    rule=(
        "op linear -> y",
        "call linear_bwd cotangent:y input:x input:w_data input:w_scale input:w_zero -> x w_scale",
        "refuse w_zero",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def _flat_linear(
    x: Tensor, w_data: Tensor, w_scale: Tensor, w_zero: Tensor | None = None
) -> Tensor:
    """`linear` of the tensors of its bundles, one by one."""
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, w_data, w_scale, w_zero)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("linear", error, x, w_data, w_scale, w_zero) from None


def linear(x: Tensor, w: Quantized | tuple[Tensor, ...]) -> Tensor:
    """`x` times the rows of a weight.

    Args:
        x (Tensor): shape `(*batch, k)`, float32 or float64.
        w (Quantized): `data`: shape `(n, k)`, int8. `scale`: a factor for each row of `data`. Shape
            `(n,)`, float32. `zero`: shape `(n,)`, the dtype of `w_scale`.

    Returns:
        Tensor: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    w_data, w_scale, w_zero = _members(
        "linear", "w", w, ("data", "scale", "zero"), ("data", "scale", "zero"), 2, False
    )
    return _flat_linear(x, w_data, w_scale, w_zero)
