"""`soft_cross_entropy_bwd_part`: The gradients of `soft_cross_entropy` for some of the classes.
A step of `soft_cross_entropy_bwd`.

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
    "soft_cross_entropy_bwd_part",
    size=48,
    fields=(
        ("outer", "i64", 0),
        ("c", "i64", 8),
        ("inner", "i64", 16),
        ("smoothing", "f64", 24),
        ("classes", "i64", 32),
        ("divisor", "i64", 40),
    ),
)

FACTS = OpFacts(
    "soft_cross_entropy_bwd_part",
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
                shape(group("batch"), dim("v"))
                if classes == "last"
                else shape(dim("n"), dim("v"), group("d"))
            ),
        ),
        Input(
            "target",
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
        Input("weight", shape(dim("v")), optional=True),
    ),
    results=(
        Result(
            "dlogits",
            lambda classes, **_: (
                shape(group("batch"), dim("v"))
                if classes == "last"
                else shape(dim("n"), dim("v"), group("d"))
            ),
            optional=True,
            on_request=True,
        ),
        Result(
            "dtarget",
            lambda classes, **_: (
                shape(group("batch"), dim("v"))
                if classes == "last"
                else shape(dim("n"), dim("v"), group("d"))
            ),
            optional=True,
            on_request=True,
        ),
    ),
    attrs={
        "c": "int",
        "positions": "int",
        "classes": "str",
        "label_smoothing": "float",
        "reduction": "str",
    },
    platforms=("cpu",),
    split=("batch", "n", "d", "v"),
)


class Results(NamedTuple):
    """The results of `soft_cross_entropy_bwd_part`."""

    dlogits: TensorSpec | None  # T[*batch v | n v *d]
    dtarget: TensorSpec | None  # T[*batch v | n v *d]


def bind(
    dloss: TensorSpec,
    logits: TensorSpec,
    target: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    mass: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    c: int,
    positions: int,
    classes: str = "last",
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    wanted: Collection[str] = ("dlogits", "dtarget"),
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `soft_cross_entropy_bwd_part`. Return results and kernel arguments."""
    # Attributes.
    c = check_attr("soft_cross_entropy_bwd_part", "c", c, "int", low=1)
    positions = check_attr("soft_cross_entropy_bwd_part", "positions", positions, "int", low=1)
    classes = check_attr(
        "soft_cross_entropy_bwd_part", "classes", classes, "str", choices=("last", "second")
    )
    label_smoothing = check_attr(
        "soft_cross_entropy_bwd_part",
        "label_smoothing",
        label_smoothing,
        "float",
        low=0.0,
        high=1.0,
    )
    reduction = check_attr(
        "soft_cross_entropy_bwd_part",
        "reduction",
        reduction,
        "str",
        choices=("none", "mean", "sum"),
    )
    wanted = check_wanted("soft_cross_entropy_bwd_part", wanted, ("dlogits", "dtarget"))
    # Dtypes.
    T = check_dtype("soft_cross_entropy_bwd_part", "logits", logits, ("f32", "bf16", "f16", "f64"))
    check_dtype("soft_cross_entropy_bwd_part", "target", target, (T,), like="logits")
    Acc = accum(T)
    check_dtype(
        "soft_cross_entropy_bwd_part", "dloss", dloss, (Acc,), derived="accum(logits.dtype)"
    )
    check_dtype("soft_cross_entropy_bwd_part", "top", top, (Acc,), derived="accum(logits.dtype)")
    check_dtype("soft_cross_entropy_bwd_part", "rest", rest, (Acc,), derived="accum(logits.dtype)")
    check_dtype("soft_cross_entropy_bwd_part", "mass", mass, (Acc,), derived="accum(logits.dtype)")
    if weight is not None:
        check_dtype(
            "soft_cross_entropy_bwd_part", "weight", weight, (Acc,), derived="accum(logits.dtype)"
        )
    # Sizes.
    batch: Any = None
    d: Any = None
    n: Any = None
    v: Any = None
    if reduction != "none":
        check_rank("soft_cross_entropy_bwd_part", "dloss", dloss, "", exactly=0)
    if reduction == "none" and classes == "last":
        batch = dloss.shape
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_rank("soft_cross_entropy_bwd_part", "dloss", dloss, "n *d", at_least=1)
        d = dloss.shape[1:]
        n = dloss.shape[0]
    if classes == "last" and batch is not None:
        check_rank(
            "soft_cross_entropy_bwd_part",
            "logits",
            logits,
            "*batch v",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if classes == "last" and batch is None:
        check_rank("soft_cross_entropy_bwd_part", "logits", logits, "*batch v", at_least=1)
        batch = logits.shape[:-1]
    if classes == "last":
        v = logits.shape[-1]
    if classes != "last" and d is not None:
        check_rank(
            "soft_cross_entropy_bwd_part",
            "logits",
            logits,
            "n v *d",
            exactly=len(d) + 2,
            of="d of dloss",
        )
    if classes != "last" and d is None:
        check_rank("soft_cross_entropy_bwd_part", "logits", logits, "n v *d", at_least=2)
        d = logits.shape[2:]
    if classes != "last" and n is None:
        n = logits.shape[0]
    if classes != "last":
        v = logits.shape[1]
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "target",
            target,
            "*batch v",
            exactly=len(batch) + 1,
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "target",
            target,
            "n v *d",
            exactly=len(d) + 2,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "top",
            top,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "top",
            top,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "rest",
            rest,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "rest",
            rest,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "mass",
            mass,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "soft_cross_entropy_bwd_part",
            "mass",
            mass,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if weight is not None:
        check_rank("soft_cross_entropy_bwd_part", "weight", weight, "v", exactly=1)
    if reduction != "none":
        check_shape("soft_cross_entropy_bwd_part", "dloss", dloss, (), "")
    if reduction == "none" and classes == "last":
        check_shape(
            "soft_cross_entropy_bwd_part", "dloss", dloss, batch, "*batch", batch=("logits", batch)
        )
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_shape(
            "soft_cross_entropy_bwd_part",
            "dloss",
            dloss,
            (n, *d),
            "n *d",
            n=("logits", n),
            d=("logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "logits",
            logits,
            (*batch, v),
            "*batch v",
            batch=("dloss", batch),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "logits",
            logits,
            (n, v, *d),
            "n v *d",
            n=("dloss", n),
            d=("dloss", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "target",
            target,
            (*batch, v),
            "*batch v",
            batch=("dloss or logits", batch),
            v=("logits", v),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "target",
            target,
            (n, v, *d),
            "n v *d",
            n=("dloss or logits", n),
            v=("logits", v),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "top",
            top,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "top",
            top,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "rest",
            rest,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "rest",
            rest,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "mass",
            mass,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "soft_cross_entropy_bwd_part",
            "mass",
            mass,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if weight is not None:
        check_shape("soft_cross_entropy_bwd_part", "weight", weight, (v,), "v", v=("logits", v))
    # Requirements.
    require("soft_cross_entropy_bwd_part", v > 0, "at least one class", "v of logits", v=v)
    # Values.
    for each in arrays.get("logits", ()):
        check_values(
            "soft_cross_entropy_bwd_part",
            "logits",
            each,
            each < 1000000000.0,
            "logits < 1000000000.0",
        )
    for each in arrays.get("top", ()):
        check_values(
            "soft_cross_entropy_bwd_part", "top", each, each > -1000000000.0, "top > -1000000000.0"
        )
    for each in arrays.get("rest", ()):
        check_values("soft_cross_entropy_bwd_part", "rest", each, each >= 0, "rest >= 0")
    results = Results(
        dlogits=TensorSpec((*batch, v) if classes == "last" else (n, v, *d), T)
        if "dlogits" in wanted
        else None,
        dtarget=TensorSpec((*batch, v) if classes == "last" else (n, v, *d), T)
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
    c: int,
    positions: int,
    classes: str = "last",
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    wanted: Collection[str] = ("dlogits", "dtarget"),
) -> Results:
    """Check a call of `soft_cross_entropy_bwd_part` and give the shapes and dtypes of its results.

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
        c=c,
        positions=positions,
        classes=classes,
        label_smoothing=label_smoothing,
        reduction=reduction,
        wanted=wanted,
    ).results


def pack(*, outer: int, c: int, inner: int, smoothing: float, classes: int, divisor: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(outer, c, inner, smoothing, classes, divisor)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


soft_cross_entropy_bwd_part = CoreOp(
    "soft_cross_entropy_bwd_part",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("logits", "top", "rest"),
    op_hash=0x13FD399BBACD,
)
