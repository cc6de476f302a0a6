"""`paged_cache_write`: Writes the rows of `k` and `v` to the `slots` of a paged cache. A row
with a negative slot is skipped.

Rendered by opgen from paged_cache_write.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, dim, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    check_rank,
    check_shape,
    check_values,
    require,
)

DESCRIPTOR = Descriptor(
    "paged_cache_write",
    size=112,
    fields=(
        ("t", "i64", 0),
        ("h", "i64", 8),
        ("d", "i64", 16),
        ("nb", "i64", 24),
        ("bs", "i64", 32),
        ("k_stride_t", "i64", 40),
        ("k_stride_h", "i64", 48),
        ("k_stride_d", "i64", 56),
        ("v_stride_t", "i64", 64),
        ("v_stride_h", "i64", 72),
        ("v_stride_d", "i64", 80),
        ("order", "i64", 88),
        ("T", "i64", 96),
        ("C", "i64", 104),
    ),
)

FACTS = OpFacts(
    "paged_cache_write",
    inputs=(
        Input("k", shape(dim("t"), dim("h"), dim("d"))),
        Input("v", shape(dim("t"), dim("h"), dim("d"))),
        Input(
            "k_cache",
            lambda order, **_: (
                shape(dim("nb"), dim("bs"), dim("h"), dim("d"))
                if order == "NHD"
                else shape(dim("nb"), dim("h"), dim("bs"), dim("d"))
            ),
            updated=True,
        ),
        Input(
            "v_cache",
            lambda order, **_: (
                shape(dim("nb"), dim("bs"), dim("h"), dim("d"))
                if order == "NHD"
                else shape(dim("nb"), dim("h"), dim("bs"), dim("d"))
            ),
            updated=True,
        ),
        Input("slots", shape(dim("t"))),
        Input("k_scale", shape(), optional=True, number=("f32",)),
        Input("v_scale", shape(), optional=True, number=("f32",)),
    ),
    results=(),
    attrs={"order": "str"},
    platforms=("cpu", "cuda"),
    split=("h", "d"),
)


class Results(NamedTuple):
    """The results of `paged_cache_write`."""


def bind(
    k: TensorSpec,
    v: TensorSpec,
    k_cache: TensorSpec,
    v_cache: TensorSpec,
    slots: TensorSpec,
    k_scale: TensorSpec | None = None,
    v_scale: TensorSpec | None = None,
    *,
    order: str = "NHD",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `paged_cache_write`. Return results and kernel arguments."""
    # Attributes.
    order = check_attr("paged_cache_write", "order", order, "str", choices=("NHD", "HND"))
    # Presence and dtypes.
    T = check_dtype("paged_cache_write", "k", k, ("bf16", "f16", "f32"))
    check_dtype("paged_cache_write", "v", v, (T,), like="k")
    C = check_dtype("paged_cache_write", "k_cache", k_cache, ("bf16", "f16", "f32", "f8e4m3"))
    check_dtype("paged_cache_write", "v_cache", v_cache, (C,), like="k_cache")
    check_dtype("paged_cache_write", "slots", slots, ("i32",))
    check_presence("paged_cache_write", "k_scale", k_scale, C == "f8e4m3", "C == f8e4m3")
    if k_scale is not None:
        check_dtype("paged_cache_write", "k_scale", k_scale, ("f32",))
    check_presence("paged_cache_write", "v_scale", v_scale, C == "f8e4m3", "C == f8e4m3")
    if v_scale is not None:
        check_dtype("paged_cache_write", "v_scale", v_scale, ("f32",))
    # Sizes.
    nb: Any = None
    bs: Any = None
    check_rank("paged_cache_write", "k", k, "t h d", exactly=3)
    t = k.shape[0]
    h = k.shape[1]
    d = k.shape[2]
    check_rank("paged_cache_write", "v", v, "t h d", exactly=3)
    if order == "NHD":
        check_rank("paged_cache_write", "k_cache", k_cache, "nb bs h d", exactly=4)
        nb = k_cache.shape[0]
        bs = k_cache.shape[1]
    if order != "NHD":
        check_rank("paged_cache_write", "k_cache", k_cache, "nb h bs d", exactly=4)
        nb = k_cache.shape[0]
        bs = k_cache.shape[2]
    if order == "NHD":
        check_rank("paged_cache_write", "v_cache", v_cache, "nb bs h d", exactly=4)
    if order != "NHD":
        check_rank("paged_cache_write", "v_cache", v_cache, "nb h bs d", exactly=4)
    check_rank("paged_cache_write", "slots", slots, "t", exactly=1)
    if k_scale is not None:
        check_rank("paged_cache_write", "k_scale", k_scale, "", exactly=0)
    if v_scale is not None:
        check_rank("paged_cache_write", "v_scale", v_scale, "", exactly=0)
    check_shape("paged_cache_write", "v", v, (t, h, d), "t h d", t=("k", t), h=("k", h), d=("k", d))
    if order == "NHD":
        check_shape(
            "paged_cache_write",
            "k_cache",
            k_cache,
            (nb, bs, h, d),
            "nb bs h d",
            h=("k", h),
            d=("k", d),
        )
    if order != "NHD":
        check_shape(
            "paged_cache_write",
            "k_cache",
            k_cache,
            (nb, h, bs, d),
            "nb h bs d",
            h=("k", h),
            d=("k", d),
        )
    if order == "NHD":
        check_shape(
            "paged_cache_write",
            "v_cache",
            v_cache,
            (nb, bs, h, d),
            "nb bs h d",
            nb=("k_cache", nb),
            bs=("k_cache", bs),
            h=("k", h),
            d=("k", d),
        )
    if order != "NHD":
        check_shape(
            "paged_cache_write",
            "v_cache",
            v_cache,
            (nb, h, bs, d),
            "nb h bs d",
            nb=("k_cache", nb),
            h=("k", h),
            bs=("k_cache", bs),
            d=("k", d),
        )
    check_shape("paged_cache_write", "slots", slots, (t,), "t", t=("k", t))
    # Requirements.
    require(
        "paged_cache_write",
        C == T or C == "f8e4m3",
        "C == T or C == f8e4m3",
        "C of k_cache, T of k",
        C=C,
        T=T,
    )
    # Values.
    for each in arrays.get("slots", ()):
        check_values(
            "paged_cache_write",
            "slots",
            each,
            (-1 <= each) & (each < nb * bs),
            "-1 <= slots < nb * bs",
            nb=nb,
            bs=bs,
        )
    results = Results()
    return Launch(results)


def infer(
    k: TensorSpec,
    v: TensorSpec,
    k_cache: TensorSpec,
    v_cache: TensorSpec,
    slots: TensorSpec,
    k_scale: TensorSpec | None = None,
    v_scale: TensorSpec | None = None,
    *,
    order: str = "NHD",
) -> Results:
    """Check a call of `paged_cache_write` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(k, v, k_cache, v_cache, slots, k_scale, v_scale, order=order).results


def pack(
    *,
    t: int,
    h: int,
    d: int,
    nb: int,
    bs: int,
    k_stride_t: int,
    k_stride_h: int,
    k_stride_d: int,
    v_stride_t: int,
    v_stride_h: int,
    v_stride_d: int,
    order: int,
    T: int,
    C: int,
) -> bytes:
    """The 112 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        t,
        h,
        d,
        nb,
        bs,
        k_stride_t,
        k_stride_h,
        k_stride_d,
        v_stride_t,
        v_stride_h,
        v_stride_d,
        order,
        T,
        C,
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


paged_cache_write = CoreOp(
    "paged_cache_write",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("slots",),
    op_hash=0x27EA5B7CBD64,
)
