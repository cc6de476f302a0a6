"""A `reduce` names something that is not a dim or group of the op.

This rule looks up every key of `reduce`.

Why: a misspelt name would have no effect.

Example:

    outputs.dweight = { dtype = "f32", shape = "*norm", reduce = { bacth = "sum" } }

How to fix: correct the name.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG504", "unknown-reduce", Stage.NAMES, overrulable=True)


def check(op: OpContext) -> Findings:
    for tensor in op.spec.tensors.values():
        for name, _ in tensor.reduce:
            if name not in op.splittable:
                yield RULE.at(
                    op.at((*tensor.path, "reduce", name), "key"),
                    f"`{name}` is no dim or group of `{op.name}`",
                    did_you_mean(name, op.splittable),
                )
