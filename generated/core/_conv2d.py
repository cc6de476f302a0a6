"""`conv2d`: 2-D convolution of NCHW images.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, product, shape
from .._opgen.core.kinds import check_attr, check_dtype
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
    "conv2d",
    size=304,
    fields=(
        ("n", "i64", 0),
        ("cg", "i64", 8),
        ("h", "i64", 16),
        ("w", "i64", 24),
        ("k", "i64", 32),
        ("r", "i64", 40),
        ("s", "i64", 48),
        ("p", "i64", 56),
        ("q", "i64", 64),
        ("stride", "i64[8]", 72),
        ("stride_rank", "i64", 136),
        ("padding", "i64[8]", 144),
        ("padding_rank", "i64", 208),
        ("dilation", "i64[8]", 216),
        ("dilation_rank", "i64", 280),
        ("groups", "i64", 288),
        ("T", "i64", 296),
    ),
)

FACTS = OpFacts(
    "conv2d",
    inputs=(
        Input("x", shape(dim("n"), product("groups", "cg"), dim("h"), dim("w"))),
        Input("weight", shape(dim("k"), dim("cg"), dim("r"), dim("s"))),
        Input("bias", shape(dim("k")), optional=True),
    ),
    results=(Result("y", shape(dim("n"), dim("k"), dim("p"), dim("q"))),),
    attrs={"stride": "int[]", "padding": "int[]", "dilation": "int[]", "groups": "int"},
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=lambda groups, **_: ("n", "k") if groups == 1 else ("n",),
    linear=(("weight", "bias"),),
)


class Results(NamedTuple):
    """The results of `conv2d`."""

    y: TensorSpec  # T[n k p q]


def bind(
    x: TensorSpec,
    weight: TensorSpec,
    bias: TensorSpec | None = None,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    arch: int | None = None,
) -> Launch[Results]:
    """Check a call of `conv2d`. Return results and kernel arguments."""
    # Attributes.
    stride = check_attr("conv2d", "stride", stride, "int[2]", low=1)
    padding = check_attr("conv2d", "padding", padding, "int[2]", low=0)
    dilation = check_attr("conv2d", "dilation", dilation, "int[2]", low=1)
    groups = check_attr("conv2d", "groups", groups, "int", low=1)
    # Dtypes.
    T = check_dtype("conv2d", "x", x, ("f32", "bf16", "f16", "f64"))
    check_dtype("conv2d", "weight", weight, (T,), like="x")
    if bias is not None:
        check_dtype("conv2d", "bias", bias, (T,), like="x")
    # Sizes.
    check_rank("conv2d", "x", x, "n groups*cg h w", exactly=4)
    n = x.shape[0]
    cg = solve("conv2d", "x", "groups * cg", "cg", x.shape[1], groups, 0)
    h = x.shape[2]
    w = x.shape[3]
    check_rank("conv2d", "weight", weight, "k cg r s", exactly=4)
    k = weight.shape[0]
    r = weight.shape[2]
    s = weight.shape[3]
    if bias is not None:
        check_rank("conv2d", "bias", bias, "k", exactly=1)
    check_shape("conv2d", "x", x, (n, groups * cg, h, w), "n groups*cg h w", groups=("", groups))
    check_shape("conv2d", "weight", weight, (k, cg, r, s), "k cg r s", cg=("x", cg))
    if bias is not None:
        check_shape("conv2d", "bias", bias, (k,), "k", k=("weight", k))
    # Values that follow from the sizes.
    p = (h + 2 * padding[0] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    q = (w + 2 * padding[1] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    # Requirements.
    require("conv2d", r >= 1, "r >= 1", "r of weight", r=r)
    require("conv2d", s >= 1, "s >= 1", "s of weight", s=s)
    require(
        "conv2d",
        p >= 1,
        "p >= 1",
        "h of x, r of weight",
        p=p,
        padding=padding,
        dilation=dilation,
        stride=stride,
    )
    require(
        "conv2d",
        q >= 1,
        "q >= 1",
        "w of x, s of weight",
        q=q,
        padding=padding,
        dilation=dilation,
        stride=stride,
    )
    require(
        "conv2d",
        k % groups == 0,
        "output channels must divide into groups",
        "k of weight",
        k=k,
        groups=groups,
    )
    results = Results(y=TensorSpec((n, k, p, q), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(
    x: TensorSpec,
    weight: TensorSpec,
    bias: TensorSpec | None = None,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
) -> Results:
    """Check a call of `conv2d` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        x, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups
    ).results


def pack(
    *,
    n: int,
    cg: int,
    h: int,
    w: int,
    k: int,
    r: int,
    s: int,
    p: int,
    q: int,
    stride: Sequence[int],
    stride_rank: int,
    padding: Sequence[int],
    padding_rank: int,
    dilation: Sequence[int],
    dilation_rank: int,
    groups: int,
    T: int,
) -> bytes:
    """The 304 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        n,
        cg,
        h,
        w,
        k,
        r,
        s,
        p,
        q,
        stride,
        stride_rank,
        padding,
        padding_rank,
        dilation,
        dilation_rank,
        groups,
        T,
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


conv2d = CoreOp("conv2d", FACTS, infer, pack, unpack, bind=bind, op_hash=0xBD8242533D41)
