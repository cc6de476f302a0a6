"""`apply_rotary`: Rotates the first `2*r` of `d` in every head of `q` and `k` by the angles of
its token: `x*cos + rotate(x)*sin`.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, either, group, multiple, product, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    TensorSpec,
    check_rank,
    check_shape,
    choose_form,
    require,
    solve,
)

DESCRIPTOR = Descriptor(
    "apply_rotary",
    size=56,
    fields=(
        ("lead", "i64", 0),
        ("t", "i64", 8),
        ("d", "i64", 16),
        ("r", "i64", 24),
        ("heads_first", "i64", 32),
        ("interleaved", "i64", 40),
        ("inverse", "i64", 48),
    ),
)

FACTS = OpFacts(
    "apply_rotary",
    inputs=(
        Input(
            "q",
            lambda order, **_: (
                shape(group("lead"), product("hk", "g"), dim("t"), dim("d"))
                if order == "HSD"
                else shape(group("lead"), dim("t"), product("hk", "g"), dim("d"))
            ),
        ),
        Input(
            "k",
            lambda order, **_: (
                shape(group("lead"), dim("hk"), dim("t"), dim("d"))
                if order == "HSD"
                else shape(group("lead"), dim("t"), dim("hk"), dim("d"))
            ),
        ),
        Input(
            "cos",
            either(
                shape(group("lead"), dim("t"), multiple("2", "r")),
                shape(dim("t"), multiple("2", "r")),
            ),
        ),
        Input(
            "sin",
            either(
                shape(group("lead"), dim("t"), multiple("2", "r")),
                shape(dim("t"), multiple("2", "r")),
            ),
        ),
    ),
    results=(
        Result(
            "q_out",
            lambda order, **_: (
                shape(group("lead"), product("hk", "g"), dim("t"), dim("d"))
                if order == "HSD"
                else shape(group("lead"), dim("t"), product("hk", "g"), dim("d"))
            ),
        ),
        Result(
            "k_out",
            lambda order, **_: (
                shape(group("lead"), dim("hk"), dim("t"), dim("d"))
                if order == "HSD"
                else shape(group("lead"), dim("t"), dim("hk"), dim("d"))
            ),
        ),
    ),
    attrs={"order": "str", "style": "str", "inverse": "bool"},
    platforms=("cpu", "cuda"),
    split=("lead", "t", "hk"),
    linear=(("q", "k"),),
)


class Results(NamedTuple):
    """The results of `apply_rotary`."""

    q_out: TensorSpec  # T[*lead hk*g t d | *lead t hk*g d]
    k_out: TensorSpec  # T[*lead hk t d | *lead t hk d]


def infer(
    q: TensorSpec,
    k: TensorSpec,
    cos: TensorSpec,
    sin: TensorSpec,
    *,
    order: str = "HSD",
    style: str = "half",
    inverse: bool = False,
) -> Results:
    """Check a call of `apply_rotary` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    order = check_attr("apply_rotary", "order", order, "str", choices=("HSD", "SHD"))
    style = check_attr("apply_rotary", "style", style, "str", choices=("half", "interleaved"))
    inverse = check_attr("apply_rotary", "inverse", inverse, "bool")
    # Dtypes.
    T = check_dtype("apply_rotary", "q", q, ("f32", "bf16", "f16", "f64"))
    check_dtype("apply_rotary", "k", k, (T,), like="q")
    C = check_dtype("apply_rotary", "cos", cos, ("f32", "bf16", "f16", "f64"))
    check_dtype("apply_rotary", "sin", sin, (C,), like="cos")
    # Sizes.
    lead: Any = None
    t: Any = None
    d: Any = None
    hk: Any = None
    r: Any = None
    g: Any = None
    if order == "HSD":
        check_rank("apply_rotary", "q", q, "*lead hk*g t d", at_least=3)
        lead = q.shape[:-3]
        t = q.shape[-2]
        d = q.shape[-1]
    if order != "HSD":
        check_rank("apply_rotary", "q", q, "*lead t hk*g d", at_least=3)
        lead = q.shape[:-3]
        t = q.shape[-3]
        d = q.shape[-1]
    if order == "HSD":
        check_rank("apply_rotary", "k", k, "*lead hk t d", exactly=len(lead) + 3, of="lead of q")
        hk = k.shape[-3]
    if order != "HSD":
        check_rank("apply_rotary", "k", k, "*lead t hk d", exactly=len(lead) + 3, of="lead of q")
        hk = k.shape[-2]
    cos_form = choose_form(
        "apply_rotary", "cos", cos, (len(lead) + 2, 2), "`*lead t 2*r` or `t 2*r`", of="lead of q"
    )
    if cos_form == 0:
        r = solve("apply_rotary", "cos", "2 * r", "r", cos.shape[-1], 2, 0)
    if cos_form == 1:
        r = solve("apply_rotary", "cos", "2 * r", "r", cos.shape[1], 2, 0)
    sin_form = choose_form(
        "apply_rotary", "sin", sin, (len(lead) + 2, 2), "`*lead t 2*r` or `t 2*r`", of="lead of q"
    )
    if order == "HSD":
        g = solve("apply_rotary", "q", "hk * g", "g", q.shape[-3], hk, 0, of="hk of k")
    if order != "HSD":
        g = solve("apply_rotary", "q", "hk * g", "g", q.shape[-2], hk, 0, of="hk of k")
    if order == "HSD":
        check_shape("apply_rotary", "q", q, (*lead, hk * g, t, d), "*lead hk*g t d", hk=("k", hk))
    if order != "HSD":
        check_shape("apply_rotary", "q", q, (*lead, t, hk * g, d), "*lead t hk*g d", hk=("k", hk))
    if order == "HSD":
        check_shape(
            "apply_rotary",
            "k",
            k,
            (*lead, hk, t, d),
            "*lead hk t d",
            lead=("q", lead),
            t=("q", t),
            d=("q", d),
        )
    if order != "HSD":
        check_shape(
            "apply_rotary",
            "k",
            k,
            (*lead, t, hk, d),
            "*lead t hk d",
            lead=("q", lead),
            t=("q", t),
            d=("q", d),
        )
    if cos_form == 0:
        check_shape(
            "apply_rotary",
            "cos",
            cos,
            (*lead, t, 2 * r),
            "*lead t 2*r",
            lead=("q", lead),
            t=("q", t),
        )
    if cos_form == 1:
        check_shape("apply_rotary", "cos", cos, (t, 2 * r), "t 2*r", t=("q", t))
    if sin_form == 0:
        check_shape(
            "apply_rotary",
            "sin",
            sin,
            (*lead, t, 2 * r),
            "*lead t 2*r",
            lead=("q", lead),
            t=("q", t),
            r=("cos", r),
        )
    if sin_form == 1:
        check_shape("apply_rotary", "sin", sin, (t, 2 * r), "t 2*r", t=("q", t), r=("cos", r))
    # Requirements.
    require("apply_rotary", 2 * r <= d, "2 * r <= d", "r of cos, d of q", r=r, d=d)
    require(
        "apply_rotary", C == T or C == "f32", "C == T or C == f32", "C of cos, T of q", C=C, T=T
    )
    require(
        "apply_rotary",
        len(cos.shape) == len(sin.shape),
        "cos and sin of one shape",
        cos=cos,
        sin=sin,
    )
    return Results(
        q_out=TensorSpec(
            (*lead, hk * g, t, d) if order == "HSD" else (*lead, t, hk * g, d), T, like="q"
        ),
        k_out=TensorSpec((*lead, hk, t, d) if order == "HSD" else (*lead, t, hk, d), T, like="k"),
    )


def pack(
    *, lead: int, t: int, d: int, r: int, heads_first: int, interleaved: int, inverse: int
) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(lead, t, d, r, heads_first, interleaved, inverse)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


apply_rotary = CoreOp("apply_rotary", FACTS, infer, pack, unpack, op_hash=0xE8B043873416)
