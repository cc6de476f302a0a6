"""`dropout` for PyTorch.

Rendered by opgen from dropout.toml: edit the spec, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("dropout")
_op = _runtime.register(
    "dropout",
    rule=("op dropout -> y", "call dropout cotangent:y input:seed input:offset input:p -> x"),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def dropout(
    x: Tensor,
    seed: Tensor | int | torch.Generator | None = None,
    offset: Tensor | None = None,
    *,
    p: float = 0.5,
) -> Tensor:
    """Zeroes elements of `x` with probability `p` and scales the others by `1/(1-p)`. Philox draws
    from (`seed`, `offset`).

    Args:
        x (Tensor): shape `(*s)`, float32, bfloat16 or float16.
        seed (Tensor, optional): scalar, int64. If left out, the device's generator draws it. A
            `torch.Generator` may draw it, too.
        offset (Tensor, optional): The stream of random numbers of this seed. Default: 0. Scalar,
            the dtype of `seed`.
        p (float): at least 0, at most 1. Default: 0.5.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    seed = _runtime.seed("dropout", "seed", seed, x)
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, seed, _runtime.number(offset, "i64", x), p
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "dropout", error, x, seed, _runtime.number(offset, "i64", x), p
        ) from None
