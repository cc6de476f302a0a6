"""`soft_cross_entropy_bwd`: Gradient of `soft_cross_entropy`. Only the requested gradients are
computed.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_wanted
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    check_values,
    require,
)

DESCRIPTOR = Descriptor(
    "soft_cross_entropy_bwd",
    size=40,
    fields=(
        ("outer", "i64", 0),
        ("c", "i64", 8),
        ("inner", "i64", 16),
        ("smoothing", "f64", 24),
        ("divisor", "i64", 32),
    ),
)

FACTS = OpFacts(
    "soft_cross_entropy_bwd",
    inputs=(
        Input(
            "dloss",
            lambda reduction, classes, **_: (
                shape()
                if reduction != "none"
                else shape(group("batch"))
                if reduction == "none" and classes == "last"
                else shape(dim("n"), group("d"))
            ),
        ),
        Input(
            "logits",
            lambda classes, **_: (
                shape(group("batch"), dim("c"))
                if classes == "last"
                else shape(dim("n"), dim("c"), group("d"))
            ),
        ),
        Input(
            "target",
            lambda classes, **_: (
                shape(group("batch"), dim("c"))
                if classes == "last"
                else shape(dim("n"), dim("c"), group("d"))
            ),
        ),
        Input(
            "top",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input(
            "rest",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input(
            "mass",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input("weight", shape(dim("c")), optional=True),
    ),
    results=(
        Result(
            "dlogits",
            lambda classes, **_: (
                shape(group("batch"), dim("c"))
                if classes == "last"
                else shape(dim("n"), dim("c"), group("d"))
            ),
            optional=True,
            on_request=True,
        ),
        Result(
            "dtarget",
            lambda classes, **_: (
                shape(group("batch"), dim("c"))
                if classes == "last"
                else shape(dim("n"), dim("c"), group("d"))
            ),
            optional=True,
            on_request=True,
        ),
    ),
    attrs={"positions": "int", "label_smoothing": "float", "reduction": "str", "classes": "str"},
    platforms=("cpu", "cuda"),
    split=("batch", "n", "d"),
    stages={"c": ("soft_cross_entropy_bwd_part",)},
    linear=(("dloss",),),
)


class Results(NamedTuple):
    """The results of `soft_cross_entropy_bwd`."""

    dlogits: TensorSpec | None  # T[*batch c | n c *d]
    dtarget: TensorSpec | None  # T[*batch c | n c *d]


def bind(
    dloss: TensorSpec,
    logits: TensorSpec,
    target: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    mass: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    positions: int,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    wanted: Collection[str] = ("dlogits", "dtarget"),
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `soft_cross_entropy_bwd`. Return results and kernel arguments."""
    # Attributes.
    positions = check_attr("soft_cross_entropy_bwd", "positions", positions, "int", low=1)
    label_smoothing = check_attr(
        "soft_cross_entropy_bwd", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    reduction = check_attr(
        "soft_cross_entropy_bwd", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    classes = check_attr(
        "soft_cross_entropy_bwd", "classes", classes, "str", choices=("last", "second")
    )
    wanted = check_wanted("soft_cross_entropy_bwd", wanted, ("dlogits", "dtarget"))
    # Dtypes.
    T = check_dtype("soft_cross_entropy_bwd", "logits", logits, ("f32", "bf16", "f16", "f64"))
    check_dtype("soft_cross_entropy_bwd", "target", target, (T,), like="logits")
    Acc = accum(T)
    check_dtype("soft_cross_entropy_bwd", "dloss", dloss, (Acc,), derived="accum(logits.dtype)")
    check_dtype("soft_cross_entropy_bwd", "top", top, (Acc,), derived="accum(logits.dtype)")
    check_dtype("soft_cross_entropy_bwd", "rest", rest, (Acc,), derived="accum(logits.dtype)")
    check_dtype("soft_cross_entropy_bwd", "mass", mass, (Acc,), derived="accum(logits.dtype)")
    if weight is not None:
        check_dtype(
            "soft_cross_entropy_bwd", "weight", weight, (Acc,), derived="accum(logits.dtype)"
        )
    # Sizes.
    batch: Any = None
    d: Any = None
    n: Any = None
    c: Any = None
    if reduction != "none":
        check_rank("soft_cross_entropy_bwd", "dloss", dloss, "", exactly=0)
    if reduction == "none" and classes == "last":
        batch = dloss.shape
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_rank("soft_cross_entropy_bwd", "dloss", dloss, "n *d", at_least=1)
        d = dloss.shape[1:]
        n = dloss.shape[0]
    if classes == "last" and batch is not None:
        check_rank(
            "soft_cross_entropy_bwd",
            "logits",
            logits,
            "*batch c",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if classes == "last" and batch is None:
        check_rank("soft_cross_entropy_bwd", "logits", logits, "*batch c", at_least=1)
        batch = logits.shape[:-1]
    if classes == "last":
        c = logits.shape[-1]
    if classes != "last" and d is not None:
        check_rank(
            "soft_cross_entropy_bwd",
            "logits",
            logits,
            "n c *d",
            exactly=len(d) + 2,
            of="d of dloss",
        )
    if classes != "last" and d is None:
        check_rank("soft_cross_entropy_bwd", "logits", logits, "n c *d", at_least=2)
        d = logits.shape[2:]
    if classes != "last" and n is None:
        n = logits.shape[0]
    if classes != "last":
        c = logits.shape[1]
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "target",
            target,
            "*batch c",
            exactly=len(batch) + 1,
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "target",
            target,
            "n c *d",
            exactly=len(d) + 2,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "top",
            top,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "top",
            top,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "rest",
            rest,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "rest",
            rest,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "mass",
            mass,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd",
            "mass",
            mass,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if weight is not None:
        check_rank("soft_cross_entropy_bwd", "weight", weight, "c", exactly=1)
    if reduction != "none":
        check_shape("soft_cross_entropy_bwd", "dloss", dloss, (), "")
    if reduction == "none" and classes == "last":
        check_shape(
            "soft_cross_entropy_bwd", "dloss", dloss, batch, "*batch", batch=("logits", batch)
        )
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_shape(
            "soft_cross_entropy_bwd",
            "dloss",
            dloss,
            (n, *d),
            "n *d",
            n=("logits", n),
            d=("logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "logits",
            logits,
            (*batch, c),
            "*batch c",
            batch=("dloss", batch),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "logits",
            logits,
            (n, c, *d),
            "n c *d",
            n=("dloss", n),
            d=("dloss", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "target",
            target,
            (*batch, c),
            "*batch c",
            batch=("dloss or logits", batch),
            c=("logits", c),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "target",
            target,
            (n, c, *d),
            "n c *d",
            n=("dloss or logits", n),
            c=("logits", c),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd", "top", top, batch, "*batch", batch=("dloss or logits", batch)
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "top",
            top,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "rest",
            rest,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "rest",
            rest,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "mass",
            mass,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd",
            "mass",
            mass,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if weight is not None:
        check_shape("soft_cross_entropy_bwd", "weight", weight, (c,), "c", c=("logits", c))
    # Requirements.
    require("soft_cross_entropy_bwd", c > 0, "at least one class", "c of logits", c=c)
    # Values.
    for each in arrays.get("rest", ()):
        check_values("soft_cross_entropy_bwd", "rest", each, each >= 0, "rest >= 0")
    results = Results(
        dlogits=TensorSpec((*batch, c) if classes == "last" else (n, c, *d), T)
        if "dlogits" in wanted
        else None,
        dtarget=TensorSpec((*batch, c) if classes == "last" else (n, c, *d), T)
        if "dtarget" in wanted
        else None,
    )
    return Launch(results)


def infer(
    dloss: TensorSpec,
    logits: TensorSpec,
    target: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    mass: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    positions: int,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    wanted: Collection[str] = ("dlogits", "dtarget"),
) -> Results:
    """Check a call of `soft_cross_entropy_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dloss,
        logits,
        target,
        top,
        rest,
        mass,
        weight,
        positions=positions,
        label_smoothing=label_smoothing,
        reduction=reduction,
        classes=classes,
        wanted=wanted,
    ).results


def pack(*, outer: int, c: int, inner: int, smoothing: float, divisor: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(outer, c, inner, smoothing, divisor)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


soft_cross_entropy_bwd = CoreOp(
    "soft_cross_entropy_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("rest",),
    op_hash=0x23B829F32B44,
)
