"""`segment_sums` for PyTorch.

Rendered by opgen from host.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("host", "segment_sums")
_runtime.define_gradient(
    "segment_sums",
    "(Tensor? dy, Tensor x, Tensor bounds, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "segment_sums",
    rule=(
        "op segment_sums -> y",
        "call segment_sums_reference_vjp cotangent?:y input:x input:bounds needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def segment_sums(x: Tensor, bounds: Tensor) -> Tensor:
    """The sums of `x` between `bounds`, which the kernel reads on the host.

    Args:
        x (Tensor): shape `(n,)`, float32 or float64.
        bounds (Tensor): shape `(k+1,)`, int64.

    Returns:
        Tensor: shape `(k,)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, bounds)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("segment_sums", error, x, bounds) from None
