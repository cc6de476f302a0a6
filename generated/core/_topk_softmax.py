"""`topk_softmax`: Softmax over `e` experts, then the `k` largest with their indices.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import DTYPES, CoreOp, Launch, TensorSpec, check_rank, prod, require

DESCRIPTOR = Descriptor(
    "topk_softmax",
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
    "topk_softmax",
    inputs=(Input("logits", shape(group("batch"), dim("e")), folds=True),),
    results=(
        Result("weights", shape(group("batch"), dim("k"))),
        Result("ids", shape(group("batch"), dim("k"))),
        Result("top", shape(group("batch")), residual=True),
        Result("total", shape(group("batch")), residual=True),
    ),
    attrs={"k": "int", "renormalize": "bool"},
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `topk_softmax`, then the residuals for its backward."""

    weights: TensorSpec  # f32[*batch k]
    ids: TensorSpec  # i64[*batch k]
    top: TensorSpec  # f32[*batch]
    total: TensorSpec  # f32[*batch]


def bind(logits: TensorSpec, *, k: int, renormalize: bool = False) -> Launch[Results]:
    """Check a call of `topk_softmax`. Return results and kernel arguments."""
    # Attributes.
    k = check_attr("topk_softmax", "k", k, "int", low=1)
    renormalize = check_attr("topk_softmax", "renormalize", renormalize, "bool")
    # Dtypes.
    T = check_dtype("topk_softmax", "logits", logits, ("f32", "bf16", "f16"))
    # Sizes.
    check_rank("topk_softmax", "logits", logits, "*batch e", at_least=1)
    batch = logits.shape[:-1]
    e = logits.shape[-1]
    # Requirements.
    require("topk_softmax", k <= e, "k <= e", "e of logits", k=k, e=e)
    results = Results(
        weights=TensorSpec((*batch, k), "f32"),
        ids=TensorSpec((*batch, k), "i64"),
        top=TensorSpec(batch, "f32"),
        total=TensorSpec(batch, "f32"),
    )
    return Launch(
        results,
        descriptor=(prod(batch), len(batch), e, k, renormalize, DTYPES[T].code),
        grid=(),
        require={"neuron": lambda: ((e <= 8192, "e <= 8192"),)},
        attrs={"k": k, "renormalize": renormalize},
    )


def infer(logits: TensorSpec, *, k: int, renormalize: bool = False) -> Results:
    """Check a call of `topk_softmax` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(logits, k=k, renormalize=renormalize).results


def pack(*, batch: int, batch_rank: int, e: int, k: int, renormalize: int, T: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, e, k, renormalize, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


topk_softmax = CoreOp("topk_softmax", FACTS, infer, pack, unpack, bind=bind, op_hash=0xBDD3E0197243)
