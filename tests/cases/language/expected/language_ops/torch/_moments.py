"""`moments` for PyTorch.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("moments")
_runtime.define_gradient(
    "moments",
    "(Tensor? dmean, Tensor? dvariance, Tensor x, bool spread, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "moments",
    rule=(
        "op moments -> mean variance",
        "call moments_reference_vjp cotangent?:mean cotangent?:variance input:x input:spread "
        "needed -> x",
    ),
    reference=_reference,
)
_runtime.register_out("moments")
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def moments(
    x: Tensor, *, spread: bool = False, out: tuple[Tensor, Tensor | None] | None = None
) -> tuple[Tensor, Tensor | None]:
    """The mean of each row and, where asked for, its variance.

    Args:
        x (Tensor): shape `(m, n)`, float32 or float64.
        spread (bool): Default: False.
        out (tuple of Tensor, optional): the destination of `mean`, `variance`.

    Returns:
        A tuple of

        - mean (Tensor): shape `(m,)`, the dtype of `x`.
        - variance (Tensor, optional): shape `(m,)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        if out is not None:
            return _runtime.write("moments", out, x, spread)
        return (_traced if is_dynamo_compiling() else _eager)(x, spread)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("moments", error, x, spread) from None
