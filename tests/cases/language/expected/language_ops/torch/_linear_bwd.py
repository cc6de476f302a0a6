"""`linear_bwd` for PyTorch.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from ..bundles import Quantized
from .._opgen.core.bundles import bundle as _bundle, members as _members
from .._opgen import torch as _runtime

_runtime.saved(Quantized)
_reference = _runtime.reference("linear_bwd")
_runtime.fall_back("linear_bwd", _reference)
_op = _runtime.register(
    "linear_bwd", rule=("op linear_bwd -> dx dw_scale", "refuse dy x w_scale w_zero")
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def _flat_linear_bwd(
    dy: Tensor, x: Tensor, w_data: Tensor, w_scale: Tensor, w_zero: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """`linear_bwd` of the tensors of its bundles, one by one."""
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, x, w_data, w_scale, w_zero)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("linear_bwd", error, dy, x, w_data, w_scale, w_zero) from None


def linear_bwd(
    dy: Tensor, x: Tensor, w: Quantized | tuple[Tensor, ...]
) -> tuple[Tensor, Quantized]:
    """The gradients of `linear`.

    Args:
        dy (Tensor): shape `(*batch, n)`, float32 or float64.
        x (Tensor): shape `(*batch, k)`, the dtype of `dy`.
        w (Quantized): `data`: shape `(n, k)`, int8. `scale`: a factor for each row of `data`. Shape
            `(n,)`, float32. `zero`: shape `(n,)`, the dtype of `w_scale`.

    Returns:
        A tuple of

        - dx (Tensor): shape `(*batch, k)`, the dtype of `dy`.
        - dw (Quantized): `scale`: a factor for each row of `data`. Shape `(n,)`, the dtype of
          `w_scale`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    w_data, w_scale, w_zero = _members(
        "linear_bwd", "w", w, ("data", "scale", "zero"), ("data", "scale", "zero"), 2, False
    )
    dx, dw_scale = _flat_linear_bwd(dy, x, w_data, w_scale, w_zero)
    return dx, _bundle(Quantized, None, dw_scale, None)
