"""`conv2d_dgrad`: Gradient of `conv2d` with respect to `x`. The size `h` by `w` of `x` does not
follow from `dy`.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, product, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "conv2d_dgrad",
    size=304,
    fields=(
        ("n", "i64", 0),
        ("k", "i64", 8),
        ("p", "i64", 16),
        ("q", "i64", 24),
        ("cg", "i64", 32),
        ("r", "i64", 40),
        ("s", "i64", 48),
        ("stride", "i64[8]", 56),
        ("stride_rank", "i64", 120),
        ("padding", "i64[8]", 128),
        ("padding_rank", "i64", 192),
        ("dilation", "i64[8]", 200),
        ("dilation_rank", "i64", 264),
        ("groups", "i64", 272),
        ("h", "i64", 280),
        ("w", "i64", 288),
        ("T", "i64", 296),
    ),
)

FACTS = OpFacts(
    "conv2d_dgrad",
    inputs=(
        Input("dy", shape(dim("n"), dim("k"), dim("p"), dim("q"))),
        Input("weight", shape(dim("k"), dim("cg"), dim("r"), dim("s"))),
    ),
    results=(
        Result(
            "dx",
            shape(dim("n"), product("groups", "cg"), dim("h"), dim("w")),
            reduce={"k": Reduction("sum")},
        ),
    ),
    attrs={
        "h": "int",
        "w": "int",
        "stride": "int[]",
        "padding": "int[]",
        "dilation": "int[]",
        "groups": "int",
    },
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=lambda groups, **_: ("n", "k") if groups == 1 else ("n",),
    linear=(("dy",), ("weight",)),
)


class Results(NamedTuple):
    """The results of `conv2d_dgrad`."""

    dx: TensorSpec  # T[n groups*cg h w]


def bind(
    dy: TensorSpec,
    weight: TensorSpec,
    *,
    h: int,
    w: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    arch: int | None = None,
) -> Launch[Results]:
    """Check a call of `conv2d_dgrad`. Return results and kernel arguments."""
    # Attributes.
    h = check_attr("conv2d_dgrad", "h", h, "int")
    w = check_attr("conv2d_dgrad", "w", w, "int")
    stride = check_attr("conv2d_dgrad", "stride", stride, "int[2]", low=1)
    padding = check_attr("conv2d_dgrad", "padding", padding, "int[2]", low=0)
    dilation = check_attr("conv2d_dgrad", "dilation", dilation, "int[2]", low=1)
    groups = check_attr("conv2d_dgrad", "groups", groups, "int", low=1)
    # Dtypes.
    T = check_dtype("conv2d_dgrad", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("conv2d_dgrad", "weight", weight, (T,), like="dy")
    # Sizes.
    check_rank(
        "conv2d_dgrad",
        "dy",
        dy,
        "n k (h+2*padding[0]-dilation[0]*(r-1)-1)//stride[0]+1 (w+2*padding[1]-dilation[1]*(s-1)-1)//stride[1]+1",
        exactly=4,
    )
    n = dy.shape[0]
    k = dy.shape[1]
    check_rank("conv2d_dgrad", "weight", weight, "k cg r s", exactly=4)
    cg = weight.shape[1]
    r = weight.shape[2]
    s = weight.shape[3]
    check_shape(
        "conv2d_dgrad",
        "dy",
        dy,
        (
            n,
            k,
            (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1,
            (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1,
        ),
        "n k p q",
        h=("", h),
        padding=("", padding),
        dilation=("", dilation),
        r=("weight", r),
        stride=("", stride),
        w=("", w),
        s=("weight", s),
    )
    check_shape("conv2d_dgrad", "weight", weight, (k, cg, r, s), "k cg r s", k=("dy", k))
    # Values that follow from the sizes.
    p = (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    q = (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    # Requirements.
    require("conv2d_dgrad", r >= 1, "r >= 1", "r of weight", r=r)
    require("conv2d_dgrad", s >= 1, "s >= 1", "s of weight", s=s)
    require(
        "conv2d_dgrad",
        p >= 1,
        "p >= 1",
        "r of weight",
        p=p,
        h=h,
        padding=padding,
        dilation=dilation,
        stride=stride,
    )
    require(
        "conv2d_dgrad",
        q >= 1,
        "q >= 1",
        "s of weight",
        q=q,
        w=w,
        padding=padding,
        dilation=dilation,
        stride=stride,
    )
    require(
        "conv2d_dgrad",
        k % groups == 0,
        "output channels must divide into groups",
        "k of dy",
        k=k,
        groups=groups,
    )
    require("conv2d_dgrad", h >= 0, "h >= 0", h=h)
    require("conv2d_dgrad", w >= 0, "w >= 0", w=w)
    results = Results(dx=TensorSpec((n, groups * cg, h, w), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(
    dy: TensorSpec,
    weight: TensorSpec,
    *,
    h: int,
    w: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
) -> Results:
    """Check a call of `conv2d_dgrad` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dy, weight, h=h, w=w, stride=stride, padding=padding, dilation=dilation, groups=groups
    ).results


def pack(
    *,
    n: int,
    k: int,
    p: int,
    q: int,
    cg: int,
    r: int,
    s: int,
    stride: Sequence[int],
    stride_rank: int,
    padding: Sequence[int],
    padding_rank: int,
    dilation: Sequence[int],
    dilation_rank: int,
    groups: int,
    h: int,
    w: int,
    T: int,
) -> bytes:
    """The 304 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        n,
        k,
        p,
        q,
        cg,
        r,
        s,
        stride,
        stride_rank,
        padding,
        padding_rank,
        dilation,
        dilation_rank,
        groups,
        h,
        w,
        T,
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


conv2d_dgrad = CoreOp("conv2d_dgrad", FACTS, infer, pack, unpack, bind=bind, op_hash=0xE85BAC496ADF)
