"""A call of the op would write nothing.

This rule checks that an output is present or an input is updated, in every combination of
options. Options are the presence of tensors, bools, attrs with `choices`, and dtypes.

Why: such a call would have no effect.

Example: an op with `inputs.x` only, or an op whose only output has a `when`.

How to fix: add an output, or add `update = true` to the input that the op writes in place. Or
reject the call with `require`.
"""

from opgen.language.call_variants import Combination, value_of, where
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG314", "nothing-written", Stage.MEANING)


def check(op: OpContext) -> Findings:
    if any(tensor.when is None for tensor in op.spec.outputs.values()):
        return
    idle = [c for c in op.combinations if not _writes(op, c)]
    if idle:
        message = f"`{op.name}` writes nothing{where(idle, op.combinations)}"
        help_ = "add an output, or `update = true` to an input"
        yield RULE.at(op.at((), "key"), message, help_)


def _writes(op: OpContext, combination: Combination) -> bool:
    for name, tensor in op.spec.outputs.items():
        if combination.present(name) or tensor.optional:
            return True
    return any(
        value_of(tensor.updates, combination.values) and combination.present(name)
        for name, tensor in op.spec.inputs.items()
    )
