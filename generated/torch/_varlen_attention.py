"""`varlen_attention` for PyTorch.

Rendered by opgen from varlen_attention.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("varlen_attention", completes=True)
_op = _runtime.register(
    "varlen_attention",
    rule=(
        "op varlen_attention -> out lse",
        "residual lse",
        "require input:block_table present not : a paged cache has no gradient",
        "let max_q input:max_q present input:max_q input:q sizes 0 item where",
        "let max_k input:max_k present input:max_k input:block_table present input:block_table "
        "sizes 1 item input:k sizes 1 item * input:k sizes 0 item where where",
        "let scale input:scale present input:scale input:q sizes 2 item -0.5 ** where",
        "call varlen_attention_bwd cotangent:out input:q input:k input:v result:out result:lse "
        "input:cu_q input:cu_k input:alibi input:seed input:offset let:max_q let:max_k let:scale "
        "input:causal input:window input:dropout -> q k v",
        "refuse alibi",
    ),
    reference=_reference,
)
_runtime.count_flops(
    _op,
    lambda q, v, block_table, max_k, **_: (
        2 * max_k * prod(q) // max(q[2], 1) * (q[2] + (v[3] if block_table is not None else v[2]))
    ),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def varlen_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_q: Tensor,
    cu_k: Tensor,
    block_table: Tensor | None = None,
    alibi: Tensor | None = None,
    seed: Tensor | None = None,
    offset: Tensor | None = None,
    *,
    max_q: int | None = None,
    max_k: int | None = None,
    scale: float | None = None,
    causal: bool = False,
    window: Sequence[int] = (-1, -1),
    dropout: float = 0.0,
) -> Tensor:
    """Attention over packed sequences, optionally against a paged key-value cache.

    Args:
        q (Tensor): shape `(tq, hk*g, d)`, bfloat16, float16, float32 or float64.
        k (Tensor): shape `(nb, bs, hk, d)` or shape `(tk, hk, d)`, the dtype of `q`.
        v (Tensor): shape `(nb, bs, hk, e)` or shape `(tk, hk, e)`, the dtype of `q`.
        cu_q (Tensor): shape `(b+1,)`, int32.
        cu_k (Tensor): shape `(b+1,)`, the dtype of `cu_q`.
        block_table (Tensor, optional): shape `(b, mb)`, the dtype of `cu_q`.
        alibi (Tensor, optional): shape `(hk*g,)` or shape `(b, hk*g)`, float32.
        seed (Tensor, optional): scalar, int64.
        offset (Tensor, optional): scalar, int64.
        max_q (int, optional): The longest query sequence. Default: `tq`.
        max_k (int, optional): The longest key sequence. The dropout mask depends on it. Default:
            `mb * bs if present(block_table) else tk`.
        scale (float, optional): Default: `d**(-0.5)`.
        causal (bool): Default: False.
        window (Sequence[int]): Default: (-1, -1).
        dropout (float): at least 0. Default: 0.0.

    Returns:
        Tensor: shape `(tq, hk*g, e)`, the dtype of `q`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        out, _ = (_traced if is_dynamo_compiling() else _eager)(
            q,
            k,
            v,
            cu_q,
            cu_k,
            block_table,
            alibi,
            _runtime.number(seed, "i64", q),
            _runtime.number(offset, "i64", q),
            max_q,
            max_k,
            scale,
            causal,
            window,
            dropout,
            0,
        )
        return out
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "varlen_attention",
            error,
            q,
            k,
            v,
            cu_q,
            cu_k,
            block_table,
            alibi,
            _runtime.number(seed, "i64", q),
            _runtime.number(offset, "i64", q),
            max_q,
            max_k,
            scale,
            causal,
            window,
            dropout,
        ) from None
