"""`varlen_attention_bwd` for PyTorch.

Rendered by opgen from varlen_attention.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `varlen_attention`'s reference.
_reference = _runtime.reference("varlen_attention_bwd")
_runtime.define_gradient(
    "varlen_attention_bwd",
    "(Tensor? ddq, Tensor? ddk, Tensor? ddv, Tensor dout, Tensor q, Tensor k, Tensor v, Tensor out, Tensor lse, Tensor cu_q, Tensor cu_k, Tensor? alibi, Tensor? seed, Tensor? offset, SymInt max_q, SymInt max_k, float scale, bool causal, SymInt[] window, float dropout, bool[] needed) -> (Tensor, Tensor, Tensor, Tensor, Tensor)",
    _reference,
    wanted=("dout", "q", "k", "v", "alibi"),
)
_op = _runtime.register(
    "varlen_attention_bwd",
    rule=(
        "op varlen_attention_bwd -> dq dk dv",
        "call varlen_attention_bwd_reference_vjp cotangent?:dq cotangent?:dk cotangent?:dv "
        "input:dout input:q input:k input:v input:out input:lse input:cu_q input:cu_k input:alibi "
        "input:seed input:offset input:max_q input:max_k input:scale input:causal input:window "
        "input:dropout needed -> dout q k v alibi",
        "zero out lse",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda q, out, max_k, **_: 2 * max_k * (3 * prod(q) + 2 * prod(out)))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def varlen_attention_bwd(
    dout: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    lse: Tensor,
    cu_q: Tensor,
    cu_k: Tensor,
    alibi: Tensor | None = None,
    seed: Tensor | None = None,
    offset: Tensor | None = None,
    *,
    max_q: int,
    max_k: int,
    scale: float,
    causal: bool,
    window: Sequence[int],
    dropout: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradient of `varlen_attention` for packed keys and values.

    Args:
        dout (Tensor): shape `(tq, hk*g, e)`, bfloat16, float16, float32 or float64.
        q (Tensor): shape `(tq, hk*g, d)`, the dtype of `dout`.
        k (Tensor): shape `(tk, hk, d)`, the dtype of `dout`.
        v (Tensor): shape `(tk, hk, e)`, the dtype of `dout`.
        out (Tensor): shape `(tq, hk*g, e)`, the dtype of `dout`.
        lse (Tensor): shape `(hk*g, tq)`, float32 (float64 if `dout` is float64).
        cu_q (Tensor): shape `(b+1,)`, int32.
        cu_k (Tensor): shape `(b+1,)`, the dtype of `cu_q`.
        alibi (Tensor, optional): shape `(hk*g,)` or shape `(b, hk*g)`, float32.
        seed (Tensor, optional): scalar, int64.
        offset (Tensor, optional): scalar, int64.
        max_q (int)
        max_k (int)
        scale (float)
        causal (bool)
        window (Sequence[int])
        dropout (float): at least 0.

    Returns:
        A tuple of

        - dq (Tensor): shape `(tq, hk*g, d)`, the dtype of `dout`.
        - dk (Tensor): shape `(tk, hk, d)`, the dtype of `dout`.
        - dv (Tensor): shape `(tk, hk, e)`, the dtype of `dout`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dout,
            q,
            k,
            v,
            out,
            lse,
            cu_q,
            cu_k,
            alibi,
            _runtime.number(seed, "i64", dout),
            _runtime.number(offset, "i64", dout),
            max_q,
            max_k,
            scale,
            causal,
            window,
            dropout,
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "varlen_attention_bwd",
            error,
            dout,
            q,
            k,
            v,
            out,
            lse,
            cu_q,
            cu_k,
            alibi,
            _runtime.number(seed, "i64", dout),
            _runtime.number(offset, "i64", dout),
            max_q,
            max_k,
            scale,
            causal,
            window,
            dropout,
        ) from None
