"""`sharding` splits something that is not a dim or group of the op.

This rule looks up every name in `sharding.split`. It must be a dim or group of a tensor's
shape, or an attr that is a dim or group. A derived dim is an expression and cannot be split.

Why: with a misspelt name, every device would silently gather the whole dim.

Example:

    sharding.split = ["bacth"]

How to fix: correct the name. Instead of a derived dim, split the dim from which it is computed.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG501", "unknown-split", Stage.NAMES)


def check(op: OpContext) -> Findings:
    known = op.splittable
    for key, names in op.spec.sharding.split.placed():
        for n, name in enumerate(names):
            if name in op.spec.dims:
                message = f"`{name}` is derived: it cannot be split"
                help_ = "split what it is computed from"
            elif name not in known:
                message = f"`{name}` is no dim or group of `{op.name}`"
                help_ = did_you_mean(name, known)
            else:
                continue
            yield RULE.at(op.at(("sharding", "split", *key, n)), message, help_)
