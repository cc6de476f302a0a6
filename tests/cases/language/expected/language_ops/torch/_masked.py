"""`masked` for PyTorch.

Rendered by opgen from seeds.toml: edit the spec, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("masked")
_op = _runtime.register(
    "masked",
    rule=("op masked -> y", "call masked cotangent:y input:seed input:p -> x"),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def masked(
    x: Tensor, seed: Tensor | int | torch.Generator | None = None, *, p: float = 0.5
) -> Tensor:
    """Zeroes elements of `x` with probability `p`, and divides the others by `1 - p`.

    Args:
        x (Tensor): shape `(*s)`, float32 or bfloat16.
        seed (Tensor, optional): scalar, int64. If left out, the device's generator draws it. A
            `torch.Generator` may draw it, too.
        p (float): at least 0. Default: 0.5.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    seed = _runtime.seed("masked", "seed", seed, x)
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, seed, p)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("masked", error, x, seed, p) from None
