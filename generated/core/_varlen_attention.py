"""`varlen_attention`: Attention over packed sequences, optionally against a paged key-value
cache.

Rendered by opgen from varlen_attention.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, either, other, product, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence, check_wanted
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
    "varlen_attention",
    size=208,
    fields=(
        ("tq", "i64", 0),
        ("hk", "i64", 8),
        ("g", "i64", 16),
        ("d", "i64", 24),
        ("nb", "i64", 32),
        ("bs", "i64", 40),
        ("tk", "i64", 48),
        ("e", "i64", 56),
        ("b", "i64", 64),
        ("mb", "i64", 72),
        ("max_q", "i64", 80),
        ("max_k", "i64", 88),
        ("scale", "f64", 96),
        ("causal", "i64", 104),
        ("window", "i64[8]", 112),
        ("window_rank", "i64", 176),
        ("dropout", "f64", 184),
        ("T", "i64", 192),
        ("Acc", "i64", 200),
    ),
)

FACTS = OpFacts(
    "varlen_attention",
    inputs=(
        Input("q", shape(dim("tq"), product("hk", "g"), dim("d"))),
        Input(
            "k",
            lambda block_table, **_: (
                shape(dim("nb"), dim("bs"), dim("hk"), dim("d"))
                if block_table is not None
                else shape(dim("tk"), dim("hk"), dim("d"))
            ),
        ),
        Input(
            "v",
            lambda block_table, **_: (
                shape(dim("nb"), dim("bs"), dim("hk"), dim("e"))
                if block_table is not None
                else shape(dim("tk"), dim("hk"), dim("e"))
            ),
        ),
        Input("cu_q", shape(other("b+1", "b"))),
        Input("cu_k", shape(other("b+1", "b"))),
        Input("block_table", shape(dim("b"), dim("mb")), optional=True),
        Input(
            "alibi",
            either(shape(product("hk", "g")), shape(dim("b"), product("hk", "g"))),
            optional=True,
        ),
        Input("seed", shape(), optional=True, wide="i64", number=("i64",)),
        Input("offset", shape(), optional=True, wide="i64", number=("i64",)),
    ),
    results=(
        Result("out", shape(dim("tq"), product("hk", "g"), dim("e"))),
        Result(
            "lse",
            shape(product("hk", "g"), dim("tq")),
            optional=True,
            residual=True,
            on_request=True,
        ),
    ),
    attrs={
        "max_q": "int?",
        "max_k": "int?",
        "scale": "float?",
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
    """The results of `varlen_attention`, then the residuals for its backward."""

    out: TensorSpec  # T[tq hk*g e]
    lse: TensorSpec | None  # Acc[hk*g tq]


def bind(
    q: TensorSpec,
    k: TensorSpec,
    v: TensorSpec,
    cu_q: TensorSpec,
    cu_k: TensorSpec,
    block_table: TensorSpec | None = None,
    alibi: TensorSpec | None = None,
    seed: TensorSpec | None = None,
    offset: TensorSpec | None = None,
    *,
    max_q: int | None = None,
    max_k: int | None = None,
    scale: float | None = None,
    causal: bool = False,
    window: Sequence[int] = (-1, -1),
    dropout: float = 0.0,
    wanted: Collection[str] = ("lse",),
    arch: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `varlen_attention`. Return results and kernel arguments."""
    # Attributes.
    max_q = check_attr("varlen_attention", "max_q", max_q, "int", optional=True)
    max_k = check_attr("varlen_attention", "max_k", max_k, "int", optional=True)
    scale = check_attr("varlen_attention", "scale", scale, "float", optional=True)
    causal = check_attr("varlen_attention", "causal", causal, "bool")
    window = check_attr("varlen_attention", "window", window, "int[2]")
    dropout = check_attr("varlen_attention", "dropout", dropout, "float", low=0.0)
    wanted = check_wanted("varlen_attention", wanted, ("lse",))
    # Presence and dtypes.
    T = check_dtype("varlen_attention", "q", q, ("bf16", "f16", "f32", "f64"))
    check_dtype("varlen_attention", "k", k, (T,), like="q")
    check_dtype("varlen_attention", "v", v, (T,), like="q")
    check_dtype("varlen_attention", "cu_q", cu_q, ("i32",))
    check_dtype("varlen_attention", "cu_k", cu_k, ("i32",))
    if block_table is not None:
        check_dtype("varlen_attention", "block_table", block_table, ("i32",))
    if alibi is not None:
        check_dtype("varlen_attention", "alibi", alibi, ("f32",))
    check_presence("varlen_attention", "seed", seed, dropout > 0.0, "dropout > 0.0")
    if seed is not None:
        check_dtype("varlen_attention", "seed", seed, ("i64",))
    check_presence("varlen_attention", "offset", offset, dropout > 0.0, "dropout > 0.0")
    if offset is not None:
        check_dtype("varlen_attention", "offset", offset, ("i64",))
    Acc = accum(T)
    # Sizes.
    nb: Any = None
    bs: Any = None
    hk: Any = None
    tk: Any = None
    e: Any = None
    mb: Any = None
    g: Any = None
    check_rank("varlen_attention", "q", q, "tq hk*g d", exactly=3)
    tq = q.shape[0]
    d = q.shape[2]
    if block_table is not None:
        check_rank("varlen_attention", "k", k, "nb bs hk d", exactly=4)
        nb = k.shape[0]
        bs = k.shape[1]
        hk = k.shape[2]
    if block_table is None:
        check_rank("varlen_attention", "k", k, "tk hk d", exactly=3)
        tk = k.shape[0]
        hk = k.shape[1]
    if block_table is not None:
        check_rank("varlen_attention", "v", v, "nb bs hk e", exactly=4)
        e = v.shape[3]
    if block_table is None:
        check_rank("varlen_attention", "v", v, "tk hk e", exactly=3)
        e = v.shape[2]
    check_rank("varlen_attention", "cu_q", cu_q, "b+1", exactly=1)
    b = solve("varlen_attention", "cu_q", "b + 1", "b", cu_q.shape[0], 1, 1)
    check_rank("varlen_attention", "cu_k", cu_k, "b+1", exactly=1)
    if block_table is not None:
        check_rank("varlen_attention", "block_table", block_table, "b mb", exactly=2)
        mb = block_table.shape[1]
    if alibi is not None:
        alibi_form = choose_form("varlen_attention", "alibi", alibi, (1, 2), "`hk*g` or `b hk*g`")
    if alibi is not None and alibi_form == 0:
        g = solve("varlen_attention", "alibi", "hk * g", "g", alibi.shape[0], hk, 0, of="hk of k")
    if alibi is not None and alibi_form == 1:
        g = solve("varlen_attention", "alibi", "hk * g", "g", alibi.shape[1], hk, 0, of="hk of k")
    if seed is not None:
        check_rank("varlen_attention", "seed", seed, "", exactly=0)
    if offset is not None:
        check_rank("varlen_attention", "offset", offset, "", exactly=0)
    if g is None:
        g = solve("varlen_attention", "q", "hk * g", "g", q.shape[1], hk, 0, of="hk of k")
    check_shape(
        "varlen_attention", "q", q, (tq, hk * g, d), "tq hk*g d", hk=("k", hk), g=("alibi", g)
    )
    if block_table is not None:
        check_shape("varlen_attention", "k", k, (nb, bs, hk, d), "nb bs hk d", d=("q", d))
    if block_table is None:
        check_shape("varlen_attention", "k", k, (tk, hk, d), "tk hk d", d=("q", d))
    if block_table is not None:
        check_shape(
            "varlen_attention",
            "v",
            v,
            (nb, bs, hk, e),
            "nb bs hk e",
            nb=("k", nb),
            bs=("k", bs),
            hk=("k", hk),
        )
    if block_table is None:
        check_shape("varlen_attention", "v", v, (tk, hk, e), "tk hk e", tk=("k", tk), hk=("k", hk))
    check_shape("varlen_attention", "cu_q", cu_q, (b + 1,), "b+1")
    check_shape("varlen_attention", "cu_k", cu_k, (b + 1,), "b+1", b=("cu_q", b))
    if block_table is not None:
        check_shape("varlen_attention", "block_table", block_table, (b, mb), "b mb", b=("cu_q", b))
    if alibi is not None and alibi_form == 0:
        check_shape("varlen_attention", "alibi", alibi, (hk * g,), "hk*g", hk=("k", hk), g=("q", g))
    if alibi is not None and alibi_form == 1:
        check_shape(
            "varlen_attention",
            "alibi",
            alibi,
            (b, hk * g),
            "b hk*g",
            b=("cu_q", b),
            hk=("k", hk),
            g=("q", g),
        )
    # Values that follow from the sizes.
    if max_q is None:
        max_q = tq
    if max_k is None:
        max_k = mb * bs if block_table is not None else tk
    if scale is None:
        scale = d**-0.5
    # Requirements.
    require("varlen_attention", dropout < 1.0, "dropout < 1.0", dropout=dropout)
    require("varlen_attention", g >= 1, "g >= 1", "g of alibi or q", g=g)
    require("varlen_attention", d <= 256, "d <= 256", "d of q", d=d)
    require("varlen_attention", e <= 256, "e <= 256", "e of v", e=e)
    # Values.
    for each in arrays.get("q", ()):
        check_values(
            "varlen_attention",
            "q",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < q < 3.5e+38",
        )
    for each in arrays.get("k", ()):
        if block_table is not None:
            check_values(
                "varlen_attention", "k", each, (each == each) | (each != each), "k == k or k != k"
            )
        else:
            check_values(
                "varlen_attention",
                "k",
                each,
                (-3.5e38 < each) & (each < 3.5e38),
                "-3.5e+38 < k < 3.5e+38",
            )
    for each in arrays.get("v", ()):
        if block_table is not None:
            check_values(
                "varlen_attention", "v", each, (each == each) | (each != each), "v == v or v != v"
            )
        else:
            check_values(
                "varlen_attention",
                "v",
                each,
                (-3.5e38 < each) & (each < 3.5e38),
                "-3.5e+38 < v < 3.5e+38",
            )
    for each in arrays.get("cu_q", ()):
        check_values(
            "varlen_attention",
            "cu_q",
            each,
            are_offsets(each, tq),
            "offsets from 0 to tq, never falling",
            tq=tq,
        )
    for each in arrays.get("cu_k", ()):
        if block_table is not None:
            check_values(
                "varlen_attention",
                "cu_k",
                each,
                are_offsets(each),
                "offsets from 0 on, never falling",
            )
        else:
            check_values(
                "varlen_attention",
                "cu_k",
                each,
                are_offsets(each, tk),
                "offsets from 0 to tk, never falling",
                tk=tk,
            )
    for each in arrays.get("block_table", ()):
        check_values(
            "varlen_attention",
            "block_table",
            each,
            (0 <= each) & (each < nb),
            "0 <= block_table < nb",
            nb=nb,
        )
    for each in arrays.get("alibi", ()):
        check_values(
            "varlen_attention",
            "alibi",
            each,
            (-3.5e38 < each) & (each < 3.5e38),
            "-3.5e+38 < alibi < 3.5e+38",
        )
    results = Results(
        out=TensorSpec((tq, hk * g, e), T),
        lse=TensorSpec((hk * g, tq), Acc) if "lse" in wanted else None,
    )
    return Launch(
        results,
        require={
            "cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),),
            "gradient 1": lambda: ((not block_table is not None, "a paged cache has no gradient"),),
        },
        attrs={
            "max_q": max_q,
            "max_k": max_k,
            "scale": scale,
            "causal": causal,
            "window": window,
            "dropout": dropout,
        },
    )


def infer(
    q: TensorSpec,
    k: TensorSpec,
    v: TensorSpec,
    cu_q: TensorSpec,
    cu_k: TensorSpec,
    block_table: TensorSpec | None = None,
    alibi: TensorSpec | None = None,
    seed: TensorSpec | None = None,
    offset: TensorSpec | None = None,
    *,
    max_q: int | None = None,
    max_k: int | None = None,
    scale: float | None = None,
    causal: bool = False,
    window: Sequence[int] = (-1, -1),
    dropout: float = 0.0,
    wanted: Collection[str] = ("lse",),
) -> Results:
    """Check a call of `varlen_attention` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
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
        wanted=wanted,
    ).results


def pack(
    *,
    tq: int,
    hk: int,
    g: int,
    d: int,
    nb: int,
    bs: int,
    tk: int,
    e: int,
    b: int,
    mb: int,
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
    """The 208 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        tq,
        hk,
        g,
        d,
        nb,
        bs,
        tk,
        e,
        b,
        mb,
        max_q,
        max_k,
        scale,
        causal,
        window,
        window_rank,
        dropout,
        T,
        Acc,
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


varlen_attention = CoreOp(
    "varlen_attention",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("q", "k", "v", "cu_q", "cu_k", "block_table", "alibi"),
    op_hash=0x06917629C221,
)
