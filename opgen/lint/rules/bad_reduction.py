"""A tensor has a reduction that is not allowed for this tensor.

This rule checks `reduce`. Only residuals may have the reduction `local`, and a tensor with
`mean` or `sum_exp` must have a floating dtype. Complex numbers have no order, so they
have no `max`, `min` or `sum_exp`.

Why: with `local` each device keeps a separate value, which only the backward on the same device may
read. A mean of integers is not always an integer.

Example:

    outputs.count = { dtype = "i64", shape = "", reduce = { batch = "mean" } }

How to fix: write `"sum"`, or `"same"` if every shard computes the same value.
"""

from opgen.language.dtypes import DTYPES
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.models.strings import kind_and_weight
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG506", "bad-reduction", Stage.TYPES)

COMPLEX = {name for name, dtype in DTYPES.items() if dtype.kind == "complex"}


def check(op: OpContext) -> Findings:
    for tensor in op.spec.tensors.values():
        for name, reduction in tensor.reduce:
            for key, kind in reduction.placed():
                word, _ = kind_and_weight(kind)
                if kind == "local" and tensor.table != "residuals":
                    message = f"`{tensor.name}` is no residual: others see it"
                    help_ = "`local` is for residuals"
                elif word in ("mean", "sum_exp") and not op.floating(tensor.name):
                    message = f"`{tensor.name}` is never floating: it has no {word}"
                    help_ = 'use "sum"'
                elif word in ("max", "min", "sum_exp") and _is_complex(op, tensor):
                    message = f"`{tensor.name}` is always complex: it has no {word}"
                    help_ = "complex numbers have no order"
                else:
                    continue
                yield RULE.at(op.at((*tensor.path, "reduce", name, *key)), message, help_)


def _is_complex(op: OpContext, tensor: TensorSpec) -> bool:
    """Return whether a tensor is complex in every call."""
    return set() < {*op.scope.dtypes_of(tensor)} <= COMPLEX
