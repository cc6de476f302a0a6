"""`adamw_`: One AdamW step on lists of tensors, in place.

Rendered by opgen from adamw.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_list, check_presence, given
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_count,
    check_rank,
    check_shape,
    check_values,
    require,
)

DESCRIPTOR = Descriptor(
    "adamw_",
    size=80,
    fields=(
        ("beta1", "f64", 0),
        ("beta2", "f64", 8),
        ("eps", "f64", 16),
        ("weight_decay", "f64", 24),
        ("amsgrad", "i64", 32),
        ("maximize", "i64", 40),
        ("T", "i64", 48),
        ("G", "i64", 56),
        ("M", "i64", 64),
        ("Acc", "i64", 72),
    ),
)

FACTS = OpFacts(
    "adamw_",
    inputs=(
        Input("params", shape(group("s", each=True)), list=True, updated=True),
        Input("grads", shape(group("s", each=True)), list=True),
        Input("exp_avgs", shape(group("s", each=True)), list=True, updated=True),
        Input("exp_avg_sqs", shape(group("s", each=True)), list=True, updated=True),
        Input("step", shape(), updated=True, reduce={"s": Reduction("same")}, number=("f32",)),
        Input("lr", shape(), number=("accum", 0)),
        Input(
            "max_exp_avg_sqs", shape(group("s", each=True)), optional=True, list=True, updated=True
        ),
    ),
    results=(),
    attrs={
        "beta1": "float",
        "beta2": "float",
        "eps": "float",
        "weight_decay": "float",
        "amsgrad": "bool",
        "maximize": "bool",
    },
    platforms=("cpu", "cuda"),
    split=("s",),
    follow="params",
    followers=("grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"),
)


class Results(NamedTuple):
    """The results of `adamw_`."""


def bind(
    params: Sequence[TensorSpec],
    grads: Sequence[TensorSpec],
    exp_avgs: Sequence[TensorSpec],
    exp_avg_sqs: Sequence[TensorSpec],
    step: TensorSpec,
    lr: TensorSpec,
    max_exp_avg_sqs: Sequence[TensorSpec] | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-08,
    weight_decay: float = 0.01,
    amsgrad: bool = False,
    maximize: bool = False,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `adamw_`. Return results and kernel arguments."""
    # Attributes.
    beta1 = check_attr("adamw_", "beta1", beta1, "float", low=0.0)
    beta2 = check_attr("adamw_", "beta2", beta2, "float", low=0.0)
    eps = check_attr("adamw_", "eps", eps, "float", low=0.0)
    weight_decay = check_attr("adamw_", "weight_decay", weight_decay, "float", low=0.0)
    amsgrad = check_attr("adamw_", "amsgrad", amsgrad, "bool")
    maximize = check_attr("adamw_", "maximize", maximize, "bool")
    # Presence and dtypes.
    max_exp_avg_sqs = given(max_exp_avg_sqs)
    check_list("adamw_", "params", params)
    T = check_dtype("adamw_", "params", params[0], ("f32", "bf16", "f16", "f64"))
    check_list("adamw_", "grads", grads)
    G = check_dtype("adamw_", "grads", grads[0], ("f32", "bf16", "f16", "f64"))
    check_list("adamw_", "exp_avgs", exp_avgs)
    M = check_dtype("adamw_", "exp_avgs", exp_avgs[0], ("f32", "bf16", "f64"))
    check_list("adamw_", "exp_avg_sqs", exp_avg_sqs)
    check_dtype("adamw_", "exp_avg_sqs", exp_avg_sqs[0], (M,), like="exp_avgs")
    check_dtype("adamw_", "step", step, ("f32",))
    check_presence("adamw_", "max_exp_avg_sqs", max_exp_avg_sqs, amsgrad, "amsgrad")
    if max_exp_avg_sqs is not None:
        check_list("adamw_", "max_exp_avg_sqs", max_exp_avg_sqs)
        check_dtype("adamw_", "max_exp_avg_sqs", max_exp_avg_sqs[0], (M,), like="exp_avgs")
    Acc = accum(T)
    check_dtype("adamw_", "lr", lr, (Acc,), derived="accum(params.dtype)")
    # Sizes.
    n = len(params)
    s = [each.shape for each in params]
    check_rank("adamw_", "step", step, "", exactly=0)
    check_rank("adamw_", "lr", lr, "", exactly=0)
    check_count("adamw_", "grads", grads, n, "n of params")
    check_count("adamw_", "exp_avgs", exp_avgs, n, "n of params")
    check_count("adamw_", "exp_avg_sqs", exp_avg_sqs, n, "n of params")
    if max_exp_avg_sqs is not None:
        check_count("adamw_", "max_exp_avg_sqs", max_exp_avg_sqs, n, "n of params")
    for i, each in enumerate(params):
        check_shape("adamw_", f"params[{i}]", each, s[i], "*s[i]")
    for i, each in enumerate(grads):
        check_shape("adamw_", f"grads[{i}]", each, s[i], "*s[i]", s=("params", s[i]))
    for i, each in enumerate(exp_avgs):
        check_shape("adamw_", f"exp_avgs[{i}]", each, s[i], "*s[i]", s=("params", s[i]))
    for i, each in enumerate(exp_avg_sqs):
        check_shape("adamw_", f"exp_avg_sqs[{i}]", each, s[i], "*s[i]", s=("params", s[i]))
    if max_exp_avg_sqs is not None:
        for i, each in enumerate(max_exp_avg_sqs):
            check_shape("adamw_", f"max_exp_avg_sqs[{i}]", each, s[i], "*s[i]", s=("params", s[i]))
    # Requirements.
    require(
        "adamw_", G == T or G == "f32", "G == T or G == f32", "G of grads, T of params", G=G, T=T
    )
    require(
        "adamw_",
        M == "f32" or M == T or M == "bf16" and T == "f32",
        "M == f32 or M == T or M == bf16 and T == f32",
        "M of exp_avgs, T of params",
        M=M,
        T=T,
    )
    require("adamw_", beta1 < 1.0, "beta1 < 1.0", beta1=beta1)
    require("adamw_", beta2 < 1.0, "beta2 < 1.0", beta2=beta2)
    # Values.
    for i, each in enumerate(arrays.get("exp_avg_sqs", ())):
        check_values("adamw_", f"exp_avg_sqs[{i}]", each, each >= 0, "exp_avg_sqs >= 0")
    for each in arrays.get("step", ()):
        check_values("adamw_", "step", each, each >= 0, "step >= 0")
    for each in arrays.get("lr", ()):
        check_values("adamw_", "lr", each, each >= 0, "lr >= 0")
    for i, each in enumerate(arrays.get("max_exp_avg_sqs", ())):
        check_values("adamw_", f"max_exp_avg_sqs[{i}]", each, each >= 0, "max_exp_avg_sqs >= 0")
    results = Results()
    return Launch(results)


def infer(
    params: Sequence[TensorSpec],
    grads: Sequence[TensorSpec],
    exp_avgs: Sequence[TensorSpec],
    exp_avg_sqs: Sequence[TensorSpec],
    step: TensorSpec,
    lr: TensorSpec,
    max_exp_avg_sqs: Sequence[TensorSpec] | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-08,
    weight_decay: float = 0.01,
    amsgrad: bool = False,
    maximize: bool = False,
) -> Results:
    """Check a call of `adamw_` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        params,
        grads,
        exp_avgs,
        exp_avg_sqs,
        step,
        lr,
        max_exp_avg_sqs,
        beta1=beta1,
        beta2=beta2,
        eps=eps,
        weight_decay=weight_decay,
        amsgrad=amsgrad,
        maximize=maximize,
    ).results


def pack(
    *,
    beta1: float,
    beta2: float,
    eps: float,
    weight_decay: float,
    amsgrad: int,
    maximize: int,
    T: int,
    G: int,
    M: int,
    Acc: int,
) -> bytes:
    """The 80 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(beta1, beta2, eps, weight_decay, amsgrad, maximize, T, G, M, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


adamw_ = CoreOp(
    "adamw_",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("exp_avg_sqs", "step", "lr", "max_exp_avg_sqs"),
    op_hash=0x04A9F8D1513E,
)
