"""`varlen_attention_bwd` for PyTorch.

Rendered by opgen from varlen_attention.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "varlen_attention_bwd",
    rule=(
        "op varlen_attention_bwd -> dq dk dv",
        "refuse dout q k v out lse alibi : its reference needs block_table, not given here",
    ),
)
_runtime.shard(
    _op,
    split=lambda dropout, **_: () if dropout > 0.0 else ("hk",),
    inputs={
        "dout": "tq hk*g e",
        "q": "tq hk*g d",
        "k": "tk hk d",
        "v": "tk hk e",
        "out": "tq hk*g e",
        "lse": "hk*g tq",
        "cu_q": "b+1",
        "cu_k": "b+1",
        "alibi": ("hk*g", "b hk*g"),
        "seed": "",
        "offset": "",
    },
    results={"dq": "tq hk*g d", "dk": "tk hk d", "dv": "tk hk e"},
)
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

    dout: T[tq hk*g e].
    q: T[tq hk*g d].
    k: T[tk hk d].
    v: T[tk hk e].
    out: T[tq hk*g e].
    lse: f32[hk*g tq].
    cu_q: i32[b+1].
    cu_k: i32[b+1].
    alibi: f32[hk*g | b hk*g].
    seed: i64[].
    offset: i64[].
    max_q: int.
    max_k: int.
    scale: float.
    causal: bool.
    window: int[2].
    dropout: float.
    Returns dq: T[tq hk*g d], dk: T[tk hk d], dv: T[tk hk e].
    T: bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
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
