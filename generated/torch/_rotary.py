"""`rotary` for PyTorch.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rotary")
_op = _runtime.register(
    "rotary",
    rule=(
        "op rotary -> q_out k_out",
        "let inverse input:inverse not",
        "call rotary cotangent:q_out input:positions input:cos_sin cotangent?:k_out input:style "
        "let:inverse -> q k",
        "refuse cos_sin",
    ),
    reference=_reference,
)
_runtime.count_flops(
    _op,
    lambda q, cos_sin, k, **_: (
        6 * (cos_sin[1] // 2) * (prod(q) + (prod(k) if k is not None else 0)) // q[-1]
    ),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rotary(
    q: Tensor,
    positions: Tensor,
    cos_sin: Tensor,
    k: Tensor | None = None,
    *,
    style: str = "half",
    inverse: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Rotates the first `2*r` of `d` in every head of `q` and `k` by the angles at `positions`.

    Args:
        q (Tensor): shape `(*lead, t, hk*g, d)` or shape `(*lead, t, h, d)`, float32, bfloat16,
            float16 or float64.
        positions (Tensor): shape `(*lead, t)` or shape `(t,)`, int64 or int32.
        cos_sin (Tensor): shape `(p, 2*r)`, float32, bfloat16, float16 or float64.
        k (Tensor, optional): shape `(*lead, t, hk, d)`, the dtype of `q`.
        style (str): one of 'half', 'interleaved'. Default: 'half'.
        inverse (bool): Default: False.

    Returns:
        A tuple of

        - q_out (Tensor): shape `(*lead, t, hk*g, d)` or shape `(*lead, t, h, d)`, the dtype of `q`.
        - k_out (Tensor, optional): shape `(*lead, t, hk, d)`, the dtype of `q`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            q, positions, cos_sin, k, style, inverse
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("rotary", error, q, positions, cos_sin, k, style, inverse) from None
