"""`topk_softmax_bwd`: Gradient of `topk_softmax`.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
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
    "topk_softmax_bwd",
    size=48,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("e", "i64", 16),
        ("k", "i64", 24),
        ("renormalize", "i64", 32),
        ("T", "i64", 40),
    ),
)

FACTS = OpFacts(
    "topk_softmax_bwd",
    inputs=(
        Input("dweights", shape(group("batch"), dim("k")), folds=True),
        Input("logits", shape(group("batch"), dim("e")), folds=True),
        Input("weights", shape(group("batch"), dim("k")), folds=True),
        Input("ids", shape(group("batch"), dim("k")), wide="i64", folds=True),
        Input("top", shape(group("batch")), folds=True),
        Input("total", shape(group("batch")), folds=True),
    ),
    results=(Result("dlogits", shape(group("batch"), dim("e"))),),
    attrs={"k": "int", "renormalize": "bool"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    linear=(("dweights",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `topk_softmax_bwd`."""

    dlogits: TensorSpec  # T[*batch e]


def bind(
    dweights: TensorSpec,
    logits: TensorSpec,
    weights: TensorSpec,
    ids: TensorSpec,
    top: TensorSpec,
    total: TensorSpec,
    *,
    k: int,
    renormalize: bool,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `topk_softmax_bwd`. Return results and kernel arguments."""
    # Attributes.
    k = check_attr("topk_softmax_bwd", "k", k, "int", low=1)
    renormalize = check_attr("topk_softmax_bwd", "renormalize", renormalize, "bool")
    # Dtypes.
    check_dtype("topk_softmax_bwd", "dweights", dweights, ("f32",))
    T = check_dtype("topk_softmax_bwd", "logits", logits, ("f32", "bf16", "f16"))
    check_dtype("topk_softmax_bwd", "weights", weights, ("f32",))
    check_dtype("topk_softmax_bwd", "ids", ids, ("i64",))
    check_dtype("topk_softmax_bwd", "top", top, ("f32",))
    check_dtype("topk_softmax_bwd", "total", total, ("f32",))
    # Sizes.
    check_rank("topk_softmax_bwd", "dweights", dweights, "*batch k", at_least=1)
    batch = dweights.shape[:-1]
    check_rank(
        "topk_softmax_bwd",
        "logits",
        logits,
        "*batch e",
        exactly=len(batch) + 1,
        of="batch of dweights",
    )
    e = logits.shape[-1]
    check_rank(
        "topk_softmax_bwd",
        "weights",
        weights,
        "*batch k",
        exactly=len(batch) + 1,
        of="batch of dweights",
    )
    check_rank(
        "topk_softmax_bwd", "ids", ids, "*batch k", exactly=len(batch) + 1, of="batch of dweights"
    )
    check_rank("topk_softmax_bwd", "top", top, "*batch", exactly=len(batch), of="batch of dweights")
    check_rank(
        "topk_softmax_bwd", "total", total, "*batch", exactly=len(batch), of="batch of dweights"
    )
    check_shape("topk_softmax_bwd", "dweights", dweights, (*batch, k), "*batch k", k=("", k))
    check_shape(
        "topk_softmax_bwd", "logits", logits, (*batch, e), "*batch e", batch=("dweights", batch)
    )
    check_shape(
        "topk_softmax_bwd",
        "weights",
        weights,
        (*batch, k),
        "*batch k",
        batch=("dweights", batch),
        k=("", k),
    )
    check_shape(
        "topk_softmax_bwd",
        "ids",
        ids,
        (*batch, k),
        "*batch k",
        batch=("dweights", batch),
        k=("", k),
    )
    check_shape("topk_softmax_bwd", "top", top, batch, "*batch", batch=("dweights", batch))
    check_shape("topk_softmax_bwd", "total", total, batch, "*batch", batch=("dweights", batch))
    # Requirements.
    require("topk_softmax_bwd", k <= e, "k <= e", "e of logits", k=k, e=e)
    # Values.
    for each in arrays.get("ids", ()):
        check_values("topk_softmax_bwd", "ids", each, (0 <= each) & (each < e), "0 <= ids < e", e=e)
    for each in arrays.get("total", ()):
        check_values("topk_softmax_bwd", "total", each, each >= 1, "total >= 1")
    results = Results(dlogits=TensorSpec((*batch, e), T))
    return Launch(results)


def infer(
    dweights: TensorSpec,
    logits: TensorSpec,
    weights: TensorSpec,
    ids: TensorSpec,
    top: TensorSpec,
    total: TensorSpec,
    *,
    k: int,
    renormalize: bool,
) -> Results:
    """Check a call of `topk_softmax_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dweights, logits, weights, ids, top, total, k=k, renormalize=renormalize).results


def pack(*, batch: int, batch_rank: int, e: int, k: int, renormalize: int, T: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, e, k, renormalize, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


topk_softmax_bwd = CoreOp(
    "topk_softmax_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("ids", "total"),
    op_hash=0x7079770710F6,
)
