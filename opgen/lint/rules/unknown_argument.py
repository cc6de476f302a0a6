"""`args` names an argument that the backward does not have.

This rule compares the keys of `args` with the backward's inputs and attrs.

Why: with a misspelt key, the argument would silently get another value or its default.

Example:

    grad.backward = { op = "dropout", args = { xx = "dy" }, grads = { x = "y" } }

How to fix: correct the key.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG403", "unknown-argument", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        known = [*pair.backward.spec.inputs, *pair.backward.spec.attrs]
        for name in pair.call.args:
            if name not in known:
                where = op.at((*pair.call.place, "args", name), "key")
                message = f"`{pair.backward.name}` has no argument `{name}`"
                yield RULE.at(where, message, did_you_mean(name, known))
