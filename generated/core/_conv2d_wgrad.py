"""`conv2d_wgrad`: Gradient of `conv2d` with respect to `weight` and `bias`.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, product, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_wanted
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    check_rank,
    check_shape,
    require,
    solve,
)

DESCRIPTOR = Descriptor(
    "conv2d_wgrad",
    size=304,
    fields=(
        ("n", "i64", 0),
        ("k", "i64", 8),
        ("p", "i64", 16),
        ("q", "i64", 24),
        ("cg", "i64", 32),
        ("h", "i64", 40),
        ("w", "i64", 48),
        ("stride", "i64[8]", 56),
        ("stride_rank", "i64", 120),
        ("padding", "i64[8]", 128),
        ("padding_rank", "i64", 192),
        ("dilation", "i64[8]", 200),
        ("dilation_rank", "i64", 264),
        ("groups", "i64", 272),
        ("r", "i64", 280),
        ("s", "i64", 288),
        ("T", "i64", 296),
    ),
)

FACTS = OpFacts(
    "conv2d_wgrad",
    inputs=(
        Input("dy", shape(dim("n"), dim("k"), dim("p"), dim("q"))),
        Input("x", shape(dim("n"), product("groups", "cg"), dim("h"), dim("w"))),
    ),
    results=(
        Result(
            "dweight",
            shape(dim("k"), dim("cg"), dim("r"), dim("s")),
            optional=True,
            on_request=True,
            reduce={"n": Reduction("sum")},
        ),
        Result(
            "dbias", shape(dim("k")), optional=True, on_request=True, reduce={"n": Reduction("sum")}
        ),
    ),
    attrs={
        "r": "int",
        "s": "int",
        "stride": "int[]",
        "padding": "int[]",
        "dilation": "int[]",
        "groups": "int",
    },
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=lambda groups, **_: ("n", "k") if groups == 1 else ("n",),
    linear=(("dy",),),
)


class Results(NamedTuple):
    """The results of `conv2d_wgrad`."""

    dweight: TensorSpec | None  # T[k cg r s]
    dbias: TensorSpec | None  # T[k]


def bind(
    dy: TensorSpec,
    x: TensorSpec,
    *,
    r: int,
    s: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    wanted: Collection[str] = ("dweight", "dbias"),
    arch: int | None = None,
) -> Launch[Results]:
    """Check a call of `conv2d_wgrad`. Return results and kernel arguments."""
    # Attributes.
    r = check_attr("conv2d_wgrad", "r", r, "int")
    s = check_attr("conv2d_wgrad", "s", s, "int")
    stride = check_attr("conv2d_wgrad", "stride", stride, "int[2]", low=1)
    padding = check_attr("conv2d_wgrad", "padding", padding, "int[2]", low=0)
    dilation = check_attr("conv2d_wgrad", "dilation", dilation, "int[2]", low=1)
    groups = check_attr("conv2d_wgrad", "groups", groups, "int", low=1)
    wanted = check_wanted("conv2d_wgrad", wanted, ("dweight", "dbias"))
    # Dtypes.
    T = check_dtype("conv2d_wgrad", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("conv2d_wgrad", "x", x, (T,), like="dy")
    # Sizes.
    check_rank(
        "conv2d_wgrad",
        "dy",
        dy,
        "n k (h+2*padding[0]-dilation[0]*(r-1)-1)//stride[0]+1 (w+2*padding[1]-dilation[1]*(s-1)-1)//stride[1]+1",
        exactly=4,
    )
    n = dy.shape[0]
    k = dy.shape[1]
    check_rank("conv2d_wgrad", "x", x, "n groups*cg h w", exactly=4)
    cg = solve("conv2d_wgrad", "x", "groups * cg", "cg", x.shape[1], groups, 0)
    h = x.shape[2]
    w = x.shape[3]
    check_shape(
        "conv2d_wgrad",
        "dy",
        dy,
        (
            n,
            k,
            (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1,
            (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1,
        ),
        "n k p q",
        h=("x", h),
        padding=("", padding),
        dilation=("", dilation),
        r=("", r),
        stride=("", stride),
        w=("x", w),
        s=("", s),
    )
    check_shape(
        "conv2d_wgrad",
        "x",
        x,
        (n, groups * cg, h, w),
        "n groups*cg h w",
        n=("dy", n),
        groups=("", groups),
    )
    # Values that follow from the sizes.
    p = (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    q = (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    # Requirements.
    require("conv2d_wgrad", r >= 1, "r >= 1", r=r)
    require("conv2d_wgrad", s >= 1, "s >= 1", s=s)
    require(
        "conv2d_wgrad",
        p >= 1,
        "p >= 1",
        "h of x",
        p=p,
        padding=padding,
        dilation=dilation,
        r=r,
        stride=stride,
    )
    require(
        "conv2d_wgrad",
        q >= 1,
        "q >= 1",
        "w of x",
        q=q,
        padding=padding,
        dilation=dilation,
        s=s,
        stride=stride,
    )
    require(
        "conv2d_wgrad",
        k % groups == 0,
        "output channels must divide into groups",
        "k of dy",
        k=k,
        groups=groups,
    )
    require("conv2d_wgrad", r >= 0, "r >= 0", r=r)
    require("conv2d_wgrad", s >= 0, "s >= 0", s=s)
    results = Results(
        dweight=TensorSpec((k, cg, r, s), T) if "dweight" in wanted else None,
        dbias=TensorSpec((k,), T) if "dbias" in wanted else None,
    )
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(
    dy: TensorSpec,
    x: TensorSpec,
    *,
    r: int,
    s: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    wanted: Collection[str] = ("dweight", "dbias"),
) -> Results:
    """Check a call of `conv2d_wgrad` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dy,
        x,
        r=r,
        s=s,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        wanted=wanted,
    ).results


def pack(
    *,
    n: int,
    k: int,
    p: int,
    q: int,
    cg: int,
    h: int,
    w: int,
    stride: Sequence[int],
    stride_rank: int,
    padding: Sequence[int],
    padding_rank: int,
    dilation: Sequence[int],
    dilation_rank: int,
    groups: int,
    r: int,
    s: int,
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
        h,
        w,
        stride,
        stride_rank,
        padding,
        padding_rank,
        dilation,
        dilation_rank,
        groups,
        r,
        s,
        T,
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


conv2d_wgrad = CoreOp("conv2d_wgrad", FACTS, infer, pack, unpack, bind=bind, op_hash=0x67DD022EF593)
