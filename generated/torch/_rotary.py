"""`rotary` for PyTorch.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "rotary",
    rule=(
        "op rotary -> q_out k_out",
        "let inverse input:inverse not",
        "call rotary cotangent:q_out input:positions input:cos_sin cotangent?:k_out input:style let:inverse -> q k",
        "refuse cos_sin",
    ),
)
_runtime.shard(
    _op,
    split=("lead", "t", "h", "hk"),
    inputs={
        "q": lambda k, **_: "*lead t hk*g d" if k is not None else "*lead t h d",
        "positions": ("*lead t", "t"),
        "cos_sin": "p 2*r",
        "k": "*lead t hk d",
    },
    results={
        "q_out": lambda k, **_: "*lead t hk*g d" if k is not None else "*lead t h d",
        "k_out": "*lead t hk d",
    },
)
_runtime.count_flops(_op, lambda q, positions, cos_sin, k, style, inverse: 6 * (cos_sin[1] // 2) * (prod(q) + (prod(k) if k is not None else 0)) // (q[-1] if k is not None else q[-1]))  # fmt: skip
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
    """Rotates the first `2*r` of `d` in every head of `q` and `k` by the angles at
    `positions`.

    q: T[*lead t hk*g d | *lead t h d].
    positions: I[*lead t | t].
    cos_sin: C[p 2*r].
    k: T[*lead t hk d].
    style: str, one of 'half', 'interleaved'.
    inverse: bool.
    Returns q_out: T[*lead t hk*g d | *lead t h d], k_out: T[*lead t hk d].
    T: float32, bfloat16, float16 or float64.
    C: float32, bfloat16, float16 or float64.
    I: int64 or int32.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            q, positions, cos_sin, k, style, inverse
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "rotary", error, q, positions, cos_sin, k, style, inverse
        ) from None
