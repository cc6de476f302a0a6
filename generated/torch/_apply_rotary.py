"""`apply_rotary` for PyTorch.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("apply_rotary")
_op = _runtime.register(
    "apply_rotary",
    rule=(
        "op apply_rotary -> q_out k_out",
        "let inverse input:inverse not",
        "call apply_rotary cotangent:q_out cotangent:k_out input:cos input:sin input:order "
        "input:style let:inverse -> q k",
        "refuse cos sin",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def apply_rotary(
    q: Tensor,
    k: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    order: str = "HSD",
    style: str = "half",
    inverse: bool = False,
) -> tuple[Tensor, Tensor]:
    """Rotates the first `2*r` of `d` in every head of `q` and `k` by the angles of its token:
    `x*cos + rotate(x)*sin`.

    Args:
        q (Tensor): shape `(*lead, hk*g, t, d)` or shape `(*lead, t, hk*g, d)`, float32, bfloat16,
            float16 or float64.
        k (Tensor): shape `(*lead, hk, t, d)` or shape `(*lead, t, hk, d)`, the dtype of `q`.
        cos (Tensor): shape `(*lead, t, 2*r)` or shape `(t, 2*r)`, float32, bfloat16, float16 or
            float64.
        sin (Tensor): shape `(*lead, t, 2*r)` or shape `(t, 2*r)`, the dtype of `cos`.
        order (str): Whether heads come before or after the tokens of the sequence. One of 'HSD',
            'SHD'. Default: 'HSD'.
        style (str): The elements of a pair: `x[i], x[r + i]`, or `x[2*i], x[2*i + 1]` as in GPT-J.
            One of 'half', 'interleaved'. Default: 'half'.
        inverse (bool): Whether to apply the transposed map, which rotates back. Default: False.

    Returns:
        A tuple of

        - q_out (Tensor): shape `(*lead, hk*g, t, d)` or shape `(*lead, t, hk*g, d)`, the dtype of
          `q`.
        - k_out (Tensor): shape `(*lead, hk, t, d)` or shape `(*lead, t, hk, d)`, the dtype of `q`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(q, k, cos, sin, order, style, inverse)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "apply_rotary", error, q, k, cos, sin, order, style, inverse
        ) from None
