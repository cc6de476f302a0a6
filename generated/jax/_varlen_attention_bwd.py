"""`varlen_attention_bwd` for JAX.

Rendered by opgen from varlen_attention.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import varlen_attention_bwd as _core

# Autodiff of `varlen_attention`'s reference.
_reference = _runtime.reference("varlen_attention_bwd")
_KERNEL = _runtime.Kernel(_core)


def varlen_attention_bwd(
    dout: ArrayLike,
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    out: ArrayLike,
    lse: ArrayLike,
    cu_q: ArrayLike,
    cu_k: ArrayLike,
    alibi: ArrayLike | None = None,
    seed: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    *,
    max_q: int,
    max_k: int,
    scale: float,
    causal: bool,
    window: Sequence[int],
    dropout: float,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Gradient of `varlen_attention` for packed keys and values.

    Args:
        dout (ArrayLike): shape `(tq, hk*g, e)`, bfloat16, float16, float32 or float64.
        q (ArrayLike): shape `(tq, hk*g, d)`, the dtype of `dout`.
        k (ArrayLike): shape `(tk, hk, d)`, the dtype of `dout`.
        v (ArrayLike): shape `(tk, hk, e)`, the dtype of `dout`.
        out (ArrayLike): shape `(tq, hk*g, e)`, the dtype of `dout`.
        lse (ArrayLike): shape `(hk*g, tq)`, float32 (float64 if `dout` is float64).
        cu_q (ArrayLike): shape `(b+1,)`, int32.
        cu_k (ArrayLike): shape `(b+1,)`, the dtype of `cu_q`.
        alibi (ArrayLike, optional): shape `(hk*g,)` or shape `(b, hk*g)`, float32.
        seed (ArrayLike, optional): scalar, int64.
        offset (ArrayLike, optional): scalar, int64.
        max_q (int)
        max_k (int)
        scale (float)
        causal (bool)
        window (Sequence[int])
        dropout (float): at least 0.

    Returns:
        A tuple of

        - dq (jax.Array): shape `(tq, hk*g, d)`, the dtype of `dout`.
        - dk (jax.Array): shape `(tk, hk, d)`, the dtype of `dout`.
        - dv (jax.Array): shape `(tk, hk, e)`, the dtype of `dout`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(max_q) is not int:
        max_q = _runtime.static("varlen_attention_bwd", "max_q", max_q, "int")
    if type(max_k) is not int:
        max_k = _runtime.static("varlen_attention_bwd", "max_k", max_k, "int")
    if type(scale) is not float:
        scale = _runtime.static("varlen_attention_bwd", "scale", scale, "float")
    if type(causal) is not bool:
        causal = _runtime.static("varlen_attention_bwd", "causal", causal, "bool")
    window = _runtime.static("varlen_attention_bwd", "window", window, "int[]")
    if type(dropout) is not float:
        dropout = _runtime.static("varlen_attention_bwd", "dropout", dropout, "float")
    try:
        return _varlen_attention_bwd(
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
            _varlen_attention_bwd,
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


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(11, 12, 13, 14, 15, 16))
def _varlen_attention_bwd(
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
    max_q,
    max_k,
    scale,
    causal,
    window,
    dropout,
):
    dout, q, k, v, out, lse, cu_q, cu_k, alibi, seed, offset = _runtime.check(
        _KERNEL,
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
    return _varlen_attention_bwd_op(
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
        max_q,
        max_k,
        scale,
        causal,
        window,
        dropout,
    )


_varlen_attention_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(
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
    max_q,
    max_k,
    scale,
    causal,
    window,
    dropout,
):
    return (
        _varlen_attention_bwd_op(
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
            max_q,
            max_k,
            scale,
            causal,
            window,
            dropout,
        ),
        (dout, q, k, v, cu_q, cu_k, alibi, seed, offset),
    )


def _backward(max_q, max_k, scale, causal, window, dropout, saved, cotangents):
    dout, q, k, v, cu_q, cu_k, alibi, seed, offset = saved
    ddq, ddk, ddv = cotangents

    def reference(dout, q, k, v, alibi):
        return _reference(
            _runtime.xp,
            dout,
            q,
            k,
            v,
            None,
            None,
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

    ddout, dq, dk, dv, dalibi = _runtime.pullback(
        reference, (dout, q, k, v, alibi), (ddq, ddk, ddv)
    )
    return (
        _runtime.as_cotangent(ddout, dout),
        _runtime.as_cotangent(dq, q),
        _runtime.as_cotangent(dk, k),
        _runtime.as_cotangent(dv, v),
        None,
        None,
        None,
        None,
        _runtime.as_cotangent(dalibi, alibi),
        None,
        None,
    )


_varlen_attention_bwd_op.defvjp(_forward, _backward)
_varlen_attention_bwd_op.defjvp(_reference)
