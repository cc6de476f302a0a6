"""`class_total`: The sum of exp(logits - top) of each position. A step of `soft_cross_entropy`.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "class_total", size=24, fields=(("outer", "i64", 0), ("c", "i64", 8), ("inner", "i64", 16))
)

FACTS = OpFacts(
    "class_total",
    inputs=(
        Input(
            "logits",
            lambda classes, **_: (
                shape(group("batch"), dim("v"))
                if classes == "last"
                else shape(dim("n"), dim("v"), group("d"))
            ),
        ),
        Input(
            "top",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
    ),
    results=(
        Result(
            "total",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
            reduce={"v": Reduction("sum")},
        ),
    ),
    attrs={"classes": "str"},
    platforms=("cpu",),
    split=("batch", "n", "d", "v"),
)


class Results(NamedTuple):
    """The results of `class_total`."""

    total: TensorSpec  # Acc[*batch | n *d]


def infer(logits: TensorSpec, top: TensorSpec, *, classes: str = "last") -> Results:
    """Check a call of `class_total` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    classes = check_attr("class_total", "classes", classes, "str", choices=("last", "second"))
    # Dtypes.
    T = check_dtype("class_total", "logits", logits, ("f32", "bf16", "f16", "f64"))
    Acc = accum(T)
    check_dtype("class_total", "top", top, (Acc,), derived="accum(logits.dtype)")
    # Sizes.
    batch: Any = None
    v: Any = None
    d: Any = None
    n: Any = None
    if classes == "last":
        check_rank("class_total", "logits", logits, "*batch v", at_least=1)
        batch = logits.shape[:-1]
        v = logits.shape[-1]
    if classes != "last":
        check_rank("class_total", "logits", logits, "n v *d", at_least=2)
        d = logits.shape[2:]
        n = logits.shape[0]
        v = logits.shape[1]
    if classes == "last":
        check_rank("class_total", "top", top, "*batch", exactly=len(batch), of="batch of logits")
    if classes != "last":
        check_rank("class_total", "top", top, "n *d", exactly=len(d) + 1, of="d of logits")
    if classes == "last":
        check_shape("class_total", "logits", logits, (*batch, v), "*batch v")
    if classes != "last":
        check_shape("class_total", "logits", logits, (n, v, *d), "n v *d")
    if classes == "last":
        check_shape("class_total", "top", top, batch, "*batch", batch=("logits", batch))
    if classes != "last":
        check_shape("class_total", "top", top, (n, *d), "n *d", n=("logits", n), d=("logits", d))
    # Requirements.
    require("class_total", v > 0, "at least one class", "v of logits", v=v)
    return Results(total=TensorSpec(batch if classes == "last" else (n, *d), Acc))


def pack(*, outer: int, c: int, inner: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(outer, c, inner)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


class_total = CoreOp("class_total", FACTS, infer, pack, unpack, op_hash=0x353F6477E65F)
