"""`rotary`: Rotates the first `2*r` of `d` in every head of `q` and `k` by the angles at
`positions`.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, either, group, multiple, product, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    DTYPES,
    CoreOp,
    Launch,
    TensorSpec,
    check_rank,
    check_shape,
    check_values,
    choose_form,
    prod,
    require,
    solve,
)

DESCRIPTOR = Descriptor(
    "rotary",
    size=112,
    fields=(
        ("lead", "i64", 0),
        ("lead_rank", "i64", 8),
        ("t", "i64", 16),
        ("hk", "i64", 24),
        ("g", "i64", 32),
        ("d", "i64", 40),
        ("h", "i64", 48),
        ("p", "i64", 56),
        ("r", "i64", 64),
        ("style", "i64", 72),
        ("inverse", "i64", 80),
        ("T", "i64", 88),
        ("C", "i64", 96),
        ("I", "i64", 104),
    ),
)

FACTS = OpFacts(
    "rotary",
    inputs=(
        Input(
            "q",
            lambda k, **_: (
                shape(group("lead"), dim("t"), product("hk", "g"), dim("d"))
                if k is not None
                else shape(group("lead"), dim("t"), dim("h"), dim("d"))
            ),
        ),
        Input("positions", either(shape(group("lead"), dim("t")), shape(dim("t")))),
        Input("cos_sin", shape(dim("p"), multiple("2", "r"))),
        Input("k", shape(group("lead"), dim("t"), dim("hk"), dim("d")), optional=True),
    ),
    results=(
        Result(
            "q_out",
            lambda k, **_: (
                shape(group("lead"), dim("t"), product("hk", "g"), dim("d"))
                if k is not None
                else shape(group("lead"), dim("t"), dim("h"), dim("d"))
            ),
        ),
        Result("k_out", shape(group("lead"), dim("t"), dim("hk"), dim("d")), optional=True),
    ),
    attrs={"style": "str", "inverse": "bool"},
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("lead", "t", "h", "hk"),
    linear=(("q", "k"),),
    fold=("lead",),
)


class Results(NamedTuple):
    """The results of `rotary`."""

    q_out: TensorSpec  # T[*lead t hk*g d | *lead t h d]
    k_out: TensorSpec | None  # T[*lead t hk d]


def bind(
    q: TensorSpec,
    positions: TensorSpec,
    cos_sin: TensorSpec,
    k: TensorSpec | None = None,
    *,
    style: str = "half",
    inverse: bool = False,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `rotary`. Return results and kernel arguments."""
    # Attributes.
    style = check_attr("rotary", "style", style, "str", choices=("half", "interleaved"))
    inverse = check_attr("rotary", "inverse", inverse, "bool")
    # Dtypes.
    T = check_dtype("rotary", "q", q, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("rotary", "positions", positions, ("i64", "i32"))
    C = check_dtype("rotary", "cos_sin", cos_sin, ("f32", "bf16", "f16", "f64"))
    if k is not None:
        check_dtype("rotary", "k", k, (T,), like="q")
    # Sizes.
    lead: Any = None
    t: Any = None
    d: Any = None
    h: Any = None
    hk: Any = None
    g: Any = None
    if k is not None:
        check_rank("rotary", "q", q, "*lead t hk*g d", at_least=3)
        lead = q.shape[:-3]
        t = q.shape[-3]
        d = q.shape[-1]
    if k is None:
        check_rank("rotary", "q", q, "*lead t h d", at_least=3)
        lead = q.shape[:-3]
        t = q.shape[-3]
        h = q.shape[-2]
        d = q.shape[-1]
    positions_form = choose_form(
        "rotary", "positions", positions, (len(lead) + 1, 1), "`*lead t` or `t`", of="lead of q"
    )
    check_rank("rotary", "cos_sin", cos_sin, "p 2*r", exactly=2)
    p = cos_sin.shape[0]
    r = solve("rotary", "cos_sin", "2 * r", "r", cos_sin.shape[1], 2, 0)
    if k is not None:
        check_rank("rotary", "k", k, "*lead t hk d", exactly=len(lead) + 3, of="lead of q")
        hk = k.shape[-2]
    if k is not None and hk is not None:
        g = solve("rotary", "q", "hk * g", "g", q.shape[-2], hk, 0, of="hk of k")
    if k is not None:
        check_shape("rotary", "q", q, (*lead, t, hk * g, d), "*lead t hk*g d", hk=("k", hk))
    if k is None:
        check_shape("rotary", "q", q, (*lead, t, h, d), "*lead t h d")
    if positions_form == 0:
        check_shape(
            "rotary", "positions", positions, (*lead, t), "*lead t", lead=("q", lead), t=("q", t)
        )
    if positions_form == 1:
        check_shape("rotary", "positions", positions, (t,), "t", t=("q", t))
    check_shape("rotary", "cos_sin", cos_sin, (p, 2 * r), "p 2*r")
    if k is not None:
        check_shape(
            "rotary",
            "k",
            k,
            (*lead, t, hk, d),
            "*lead t hk d",
            lead=("q", lead),
            t=("q", t),
            d=("q", d),
        )
    # Requirements.
    require("rotary", 2 * r <= d, "2 * r <= d", "r of cos_sin, d of q", r=r, d=d)
    # Values.
    for each in arrays.get("positions", ()):
        check_values(
            "rotary", "positions", each, (0 <= each) & (each < p), "0 <= positions < p", p=p
        )
    results = Results(
        q_out=TensorSpec((*lead, t, hk * g, d) if k is not None else (*lead, t, h, d), T),
        k_out=TensorSpec((*lead, t, hk, d), T) if k is not None else None,
    )
    return Launch(
        results,
        descriptor=(
            prod(lead),
            len(lead),
            t,
            hk,
            g,
            d,
            h,
            p,
            r,
            ("half", "interleaved").index(style),
            inverse,
            DTYPES[T].code,
            DTYPES[C].code,
            DTYPES[I].code,
        ),
        grid=(),
        require={"neuron": lambda: ((T != "f64", "T != f64"), (C != "f64", "C != f64"))},
        attrs={"style": style, "inverse": inverse},
    )


def infer(
    q: TensorSpec,
    positions: TensorSpec,
    cos_sin: TensorSpec,
    k: TensorSpec | None = None,
    *,
    style: str = "half",
    inverse: bool = False,
) -> Results:
    """Check a call of `rotary` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(q, positions, cos_sin, k, style=style, inverse=inverse).results


def pack(
    *,
    lead: int,
    lead_rank: int,
    t: int,
    hk: int,
    g: int,
    d: int,
    h: int,
    p: int,
    r: int,
    style: int,
    inverse: int,
    T: int,
    C: int,
    I: int,
) -> bytes:
    """The 112 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(lead, lead_rank, t, hk, g, d, h, p, r, style, inverse, T, C, I)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rotary = CoreOp(
    "rotary", FACTS, infer, pack, unpack, bind=bind, values=("positions",), op_hash=0x1B0473DA29A2
)
