"""`varlen_attention` for JAX.

Rendered by opgen from varlen_attention.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import varlen_attention as _core
from . import _varlen_attention_bwd

_reference = _runtime.reference("varlen_attention", completes=True)
_KERNEL = _runtime.Kernel(_core)


def varlen_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    cu_q: ArrayLike,
    cu_k: ArrayLike,
    block_table: ArrayLike | None = None,
    alibi: ArrayLike | None = None,
    seed: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    *,
    max_q: int | None = None,
    max_k: int | None = None,
    scale: float | None = None,
    causal: bool = False,
    window: Sequence[int] = (-1, -1),
    dropout: float = 0.0,
) -> jax.Array:
    """Attention over packed sequences, optionally against a paged key-value cache.

    Args:
        q (ArrayLike): shape `(tq, hk*g, d)`, bfloat16, float16, float32 or float64.
        k (ArrayLike): shape `(nb, bs, hk, d)` or shape `(tk, hk, d)`, the dtype of `q`.
        v (ArrayLike): shape `(nb, bs, hk, e)` or shape `(tk, hk, e)`, the dtype of `q`.
        cu_q (ArrayLike): shape `(b+1,)`, int32.
        cu_k (ArrayLike): shape `(b+1,)`, the dtype of `cu_q`.
        block_table (ArrayLike, optional): shape `(b, mb)`, the dtype of `cu_q`.
        alibi (ArrayLike, optional): shape `(hk*g,)` or shape `(b, hk*g)`, float32.
        seed (ArrayLike, optional): scalar, int64.
        offset (ArrayLike, optional): scalar, int64.
        max_q (int, optional): The longest query sequence. Default: `tq`.
        max_k (int, optional): The longest key sequence. The dropout mask depends on it. Default:
            `mb * bs if present(block_table) else tk`.
        scale (float, optional): Default: `d**(-0.5)`.
        causal (bool): Default: False.
        window (Sequence[int]): Default: (-1, -1).
        dropout (float): at least 0. Default: 0.0.

    Returns:
        jax.Array: shape `(tq, hk*g, e)`, the dtype of `q`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if max_q is not None and type(max_q) is not int:
        max_q = _runtime.static("varlen_attention", "max_q", max_q, "int?")
    if max_k is not None and type(max_k) is not int:
        max_k = _runtime.static("varlen_attention", "max_k", max_k, "int?")
    if scale is not None and type(scale) is not float:
        scale = _runtime.static("varlen_attention", "scale", scale, "float?")
    if type(causal) is not bool:
        causal = _runtime.static("varlen_attention", "causal", causal, "bool")
    window = _runtime.static("varlen_attention", "window", window, "int[]")
    if type(dropout) is not float:
        dropout = _runtime.static("varlen_attention", "dropout", dropout, "float")
    try:
        return _varlen_attention(
            q,
            k,
            v,
            cu_q,
            cu_k,
            block_table,
            alibi,
            seed,
            offset,
            max_q,
            max_k,
            scale,
            causal,
            window,
            dropout,
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _varlen_attention,
            q,
            k,
            v,
            cu_q,
            cu_k,
            block_table,
            alibi,
            seed,
            offset,
            max_q=max_q,
            max_k=max_k,
            scale=scale,
            causal=causal,
            window=window,
            dropout=dropout,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(9, 10, 11, 12, 13, 14))
def _varlen_attention(
    q,
    k,
    v,
    cu_q,
    cu_k,
    block_table,
    alibi,
    seed,
    offset,
    max_q,
    max_k,
    scale,
    causal,
    window,
    dropout,
):
    q, k, v, cu_q, cu_k, block_table, alibi, seed, offset = _runtime.check(
        _KERNEL,
        q,
        k,
        v,
        cu_q,
        cu_k,
        block_table,
        alibi,
        seed,
        offset,
        max_q=max_q,
        max_k=max_k,
        scale=scale,
        causal=causal,
        window=window,
        dropout=dropout,
    )
    (alibi,) = _runtime.no_gradient("varlen_attention", alibi, of="alibi")
    out, _ = _varlen_attention_op(
        q,
        k,
        v,
        cu_q,
        cu_k,
        block_table,
        alibi,
        seed,
        offset,
        max_q,
        max_k,
        scale,
        causal,
        window,
        dropout,
        (),
    )
    return out


_varlen_attention_op = _runtime.Differentiable(_KERNEL)


def _forward(
    q,
    k,
    v,
    cu_q,
    cu_k,
    block_table,
    alibi,
    seed,
    offset,
    max_q,
    max_k,
    scale,
    causal,
    window,
    dropout,
    wanted,
):
    _KERNEL.differentiable(
        "gradient 1",
        q,
        k,
        v,
        cu_q,
        cu_k,
        block_table,
        alibi,
        seed,
        offset,
        max_q=max_q,
        max_k=max_k,
        scale=scale,
        causal=causal,
        window=window,
        dropout=dropout,
    )
    out, lse = _varlen_attention_op(
        q,
        k,
        v,
        cu_q,
        cu_k,
        block_table,
        alibi,
        seed,
        offset,
        max_q,
        max_k,
        scale,
        causal,
        window,
        dropout,
        (*wanted, "lse"),
    )
    return (
        (out, lse if "lse" in wanted else None),
        (q, k, v, cu_q, cu_k, block_table, alibi, seed, offset, out, lse),
    )


def _backward(max_q, max_k, scale, causal, window, dropout, wanted, saved, cotangents):
    q, k, v, cu_q, cu_k, block_table, alibi, seed, offset, out, lse = saved
    dout, _ = cotangents
    max_q = q.shape[0] if max_q is None else max_q
    mb = _runtime.size_of(_KERNEL, "mb", q, k, v, cu_q, cu_k, block_table, alibi, seed, offset)
    bs = _runtime.size_of(_KERNEL, "bs", q, k, v, cu_q, cu_k, block_table, alibi, seed, offset)
    tk = _runtime.size_of(_KERNEL, "tk", q, k, v, cu_q, cu_k, block_table, alibi, seed, offset)
    max_k = (mb * bs if block_table is not None else tk) if max_k is None else max_k
    scale = q.shape[2] ** -0.5 if scale is None else scale
    dq, dk, dv = _varlen_attention_bwd.varlen_attention_bwd(
        dout,
        q,
        k,
        v,
        out,
        lse,
        cu_q,
        cu_k,
        alibi,
        seed,
        offset,
        max_q=max_q,
        max_k=max_k,
        scale=scale,
        causal=causal,
        window=window,
        dropout=dropout,
    )
    return (
        _runtime.as_cotangent(dq, q),
        _runtime.as_cotangent(dk, k),
        _runtime.as_cotangent(dv, v),
        None,
        None,
        None,
        None,
        None,
        None,
    )


_varlen_attention_op.defvjp(_forward, _backward)
_varlen_attention_op.defjvp(_reference)
