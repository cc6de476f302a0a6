"""`moe_unpermute` for PyTorch.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("moe_unpermute")
_op = _runtime.register(
    "moe_unpermute",
    rule=(
        "op moe_unpermute -> y",
        "call moe_unpermute_dgrad cotangent:y input:places input:weights -> rows",
        "call moe_unpermute_wgrad cotangent:y input:places input:rows -> weights",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda rows, **_: 2 * prod(rows))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def moe_unpermute(rows: Tensor, places: Tensor, weights: Tensor | None = None) -> Tensor:
    """The weighted sum of the rows of each token, which reverses `moe_permute`.

    Args:
        rows (Tensor): shape `(t*k, d)`, float32, bfloat16, float16 or float64.
        places (Tensor): shape `(t, k)`, int32.
        weights (Tensor, optional): shape `(t, k)`, float32, bfloat16, float16 or float64.

    Returns:
        Tensor: shape `(t, d)`, the dtype of `rows`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(rows, places, weights)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("moe_unpermute", error, rows, places, weights) from None
