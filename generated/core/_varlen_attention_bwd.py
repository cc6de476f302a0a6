"""`varlen_attention_bwd`: Gradient of `varlen_attention` for packed keys and values.

Rendered by opgen from varlen_attention.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, either, other, product, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    are_offsets,
    check_rank,
    check_shape,
    check_values,
    choose_form,
    require,
    solve,
)

DESCRIPTOR = Descriptor(
    "varlen_attention_bwd",
    size=184,
    fields=(
        ("tq", "i64", 0),
        ("hk", "i64", 8),
        ("g", "i64", 16),
        ("e", "i64", 24),
        ("d", "i64", 32),
        ("tk", "i64", 40),
        ("b", "i64", 48),
        ("max_q", "i64", 56),
        ("max_k", "i64", 64),
        ("scale", "f64", 72),
        ("causal", "i64", 80),
        ("window", "i64[8]", 88),
        ("window_rank", "i64", 152),
        ("dropout", "f64", 160),
        ("T", "i64", 168),
        ("Acc", "i64", 176),
    ),
)

FACTS = OpFacts(
    "varlen_attention_bwd",
    inputs=(
        Input("dout", shape(dim("tq"), product("hk", "g"), dim("e"))),
        Input("q", shape(dim("tq"), product("hk", "g"), dim("d"))),
        Input("k", shape(dim("tk"), dim("hk"), dim("d"))),
        Input("v", shape(dim("tk"), dim("hk"), dim("e"))),
        Input("out", shape(dim("tq"), product("hk", "g"), dim("e"))),
        Input("lse", shape(product("hk", "g"), dim("tq"))),
        Input("cu_q", shape(other("b+1", "b"))),
        Input("cu_k", shape(other("b+1", "b"))),
        Input(
            "alibi",
            either(shape(product("hk", "g")), shape(dim("b"), product("hk", "g"))),
            optional=True,
        ),
        Input("seed", shape(), optional=True, wide="i64", number=("i64",)),
        Input("offset", shape(), optional=True, wide="i64", number=("i64",)),
    ),
    results=(
        Result("dq", shape(dim("tq"), product("hk", "g"), dim("d"))),
        Result("dk", shape(dim("tk"), dim("hk"), dim("d"))),
        Result("dv", shape(dim("tk"), dim("hk"), dim("e"))),
    ),
    attrs={
        "max_q": "int",
        "max_k": "int",
        "scale": "float",
        "causal": "bool",
        "window": "int[]",
        "dropout": "float",
    },
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=lambda dropout, **_: () if dropout > 0.0 else ("hk",),
)


class Results(NamedTuple):
    """The results of `varlen_attention_bwd`."""

    dq: TensorSpec  # T[tq hk*g d]
    dk: TensorSpec  # T[tk hk d]
    dv: TensorSpec  # T[tk hk e]


def bind(
    dout: TensorSpec,
    q: TensorSpec,
    k: TensorSpec,
    v: TensorSpec,
    out: TensorSpec,
    lse: TensorSpec,
    cu_q: TensorSpec,
    cu_k: TensorSpec,
    alibi: TensorSpec | None = None,
    seed: TensorSpec | None = None,
    offset: TensorSpec | None = None,
    *,
    max_q: int,
    max_k: int,
    scale: float,
    causal: bool,
    window: Sequence[int],
    dropout: float,
    arch: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `varlen_attention_bwd`. Return results and kernel arguments."""
    # Attributes.
    max_q = check_attr("varlen_attention_bwd", "max_q", max_q, "int")
    max_k = check_attr("varlen_attention_bwd", "max_k", max_k, "int")
    scale = check_attr("varlen_attention_bwd", "scale", scale, "float")
    causal = check_attr("varlen_attention_bwd", "causal", causal, "bool")
    window = check_attr("varlen_attention_bwd", "window", window, "int[2]")
    dropout = check_attr("varlen_attention_bwd", "dropout", dropout, "float", low=0.0)
    # Presence and dtypes.
    T = check_dtype("varlen_attention_bwd", "dout", dout, ("bf16", "f16", "f32", "f64"))
    check_dtype("varlen_attention_bwd", "q", q, (T,), like="dout")
    check_dtype("varlen_attention_bwd", "k", k, (T,), like="dout")
    check_dtype("varlen_attention_bwd", "v", v, (T,), like="dout")
    check_dtype("varlen_attention_bwd", "out", out, (T,), like="dout")
    check_dtype("varlen_attention_bwd", "cu_q", cu_q, ("i32",))
    check_dtype("varlen_attention_bwd", "cu_k", cu_k, ("i32",))
    if alibi is not None:
        check_dtype("varlen_attention_bwd", "alibi", alibi, ("f32",))
    check_presence("varlen_attention_bwd", "seed", seed, dropout > 0.0, "dropout > 0.0")
    if seed is not None:
        check_dtype("varlen_attention_bwd", "seed", seed, ("i64",))
    check_presence("varlen_attention_bwd", "offset", offset, dropout > 0.0, "dropout > 0.0")
    if offset is not None:
        check_dtype("varlen_attention_bwd", "offset", offset, ("i64",))
    Acc = accum(T)
    check_dtype("varlen_attention_bwd", "lse", lse, (Acc,), derived="accum(dout.dtype)")
    # Sizes.
    check_rank("varlen_attention_bwd", "dout", dout, "tq hk*g e", exactly=3)
    tq = dout.shape[0]
    e = dout.shape[2]
    check_rank("varlen_attention_bwd", "q", q, "tq hk*g d", exactly=3)
    d = q.shape[2]
    check_rank("varlen_attention_bwd", "k", k, "tk hk d", exactly=3)
    tk = k.shape[0]
    hk = k.shape[1]
    check_rank("varlen_attention_bwd", "v", v, "tk hk e", exactly=3)
    check_rank("varlen_attention_bwd", "out", out, "tq hk*g e", exactly=3)
    g = solve("varlen_attention_bwd", "out", "hk * g", "g", out.shape[1], hk, 0, of="hk of k")
    check_rank("varlen_attention_bwd", "lse", lse, "hk*g tq", exactly=2)
    check_rank("varlen_attention_bwd", "cu_q", cu_q, "b+1", exactly=1)
    b = solve("varlen_attention_bwd", "cu_q", "b + 1", "b", cu_q.shape[0], 1, 1)
    check_rank("varlen_attention_bwd", "cu_k", cu_k, "b+1", exactly=1)
    if alibi is not None:
        alibi_form = choose_form(
            "varlen_attention_bwd", "alibi", alibi, (1, 2), "`hk*g` or `b hk*g`"
        )
    if seed is not None:
        check_rank("varlen_attention_bwd", "seed", seed, "", exactly=0)
    if offset is not None:
        check_rank("varlen_attention_bwd", "offset", offset, "", exactly=0)
    check_shape(
        "varlen_attention_bwd",
        "dout",
        dout,
        (tq, hk * g, e),
        "tq hk*g e",
        hk=("k", hk),
        g=("out", g),
    )
    check_shape(
        "varlen_attention_bwd",
        "q",
        q,
        (tq, hk * g, d),
        "tq hk*g d",
        tq=("dout", tq),
        hk=("k", hk),
        g=("out", g),
    )
    check_shape("varlen_attention_bwd", "k", k, (tk, hk, d), "tk hk d", d=("q", d))
    check_shape(
        "varlen_attention_bwd",
        "v",
        v,
        (tk, hk, e),
        "tk hk e",
        tk=("k", tk),
        hk=("k", hk),
        e=("dout", e),
    )
    check_shape(
        "varlen_attention_bwd",
        "out",
        out,
        (tq, hk * g, e),
        "tq hk*g e",
        tq=("dout", tq),
        hk=("k", hk),
        e=("dout", e),
    )
    check_shape(
        "varlen_attention_bwd",
        "lse",
        lse,
        (hk * g, tq),
        "hk*g tq",
        hk=("k", hk),
        g=("out", g),
        tq=("dout", tq),
    )
    check_shape("varlen_attention_bwd", "cu_q", cu_q, (b + 1,), "b+1")
    check_shape("varlen_attention_bwd", "cu_k", cu_k, (b + 1,), "b+1", b=("cu_q", b))
    if alibi is not None and alibi_form == 0:
        check_shape(
            "varlen_attention_bwd", "alibi", alibi, (hk * g,), "hk*g", hk=("k", hk), g=("out", g)
        )
    if alibi is not None and alibi_form == 1:
        check_shape(
            "varlen_attention_bwd",
            "alibi",
            alibi,
            (b, hk * g),
            "b hk*g",
            b=("cu_q", b),
            hk=("k", hk),
            g=("out", g),
        )
    # Requirements.
    require("varlen_attention_bwd", dropout < 1.0, "dropout < 1.0", dropout=dropout)
    require("varlen_attention_bwd", g >= 1, "g >= 1", "g of out", g=g)
    require("varlen_attention_bwd", d <= 256, "d <= 256", "d of q", d=d)
    require("varlen_attention_bwd", e <= 256, "e <= 256", "e of dout", e=e)
    # Values.
    for each in arrays.get("dout", ()):
        check_values(
            "varlen_attention_bwd",
            "dout",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < dout < 3.5e+38",
        )
    for each in arrays.get("q", ()):
        check_values(
            "varlen_attention_bwd",
            "q",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < q < 3.5e+38",
        )
    for each in arrays.get("k", ()):
        check_values(
            "varlen_attention_bwd",
            "k",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < k < 3.5e+38",
        )
    for each in arrays.get("v", ()):
        check_values(
            "varlen_attention_bwd",
            "v",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < v < 3.5e+38",
        )
    for each in arrays.get("out", ()):
        check_values(
            "varlen_attention_bwd",
            "out",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < out < 3.5e+38",
        )
    for each in arrays.get("cu_q", ()):
        check_values(
            "varlen_attention_bwd",
            "cu_q",
            each,
            are_offsets(each, tq),
            "offsets from 0 to tq, never falling",
            tq=tq,
        )
    for each in arrays.get("cu_k", ()):
        check_values(
            "varlen_attention_bwd",
            "cu_k",
            each,
            are_offsets(each, tk),
            "offsets from 0 to tk, never falling",
            tk=tk,
        )
    for each in arrays.get("alibi", ()):
        check_values(
            "varlen_attention_bwd",
            "alibi",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < alibi < 3.5e+38",
        )
    results = Results(
        dq=TensorSpec((tq, hk * g, d), T),
        dk=TensorSpec((tk, hk, d), T),
        dv=TensorSpec((tk, hk, e), T),
    )
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(
    dout: TensorSpec,
    q: TensorSpec,
    k: TensorSpec,
    v: TensorSpec,
    out: TensorSpec,
    lse: TensorSpec,
    cu_q: TensorSpec,
    cu_k: TensorSpec,
    alibi: TensorSpec | None = None,
    seed: TensorSpec | None = None,
    offset: TensorSpec | None = None,
    *,
    max_q: int,
    max_k: int,
    scale: float,
    causal: bool,
    window: Sequence[int],
    dropout: float,
) -> Results:
    """Check a call of `varlen_attention_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
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
    ).results


def pack(
    *,
    tq: int,
    hk: int,
    g: int,
    e: int,
    d: int,
    tk: int,
    b: int,
    max_q: int,
    max_k: int,
    scale: float,
    causal: int,
    window: Sequence[int],
    window_rank: int,
    dropout: float,
    T: int,
    Acc: int,
) -> bytes:
    """The 184 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        tq, hk, g, e, d, tk, b, max_q, max_k, scale, causal, window, window_rank, dropout, T, Acc
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


varlen_attention_bwd = CoreOp(
    "varlen_attention_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("dout", "q", "k", "v", "out", "cu_q", "cu_k", "alibi"),
    op_hash=0xF3EF6AE93103,
)
