"""A required input comes after an input that may be absent.

This rule checks the order of `inputs`. Inputs with `optional`, `when` or `seed` must come
last.

Why: inputs are positional. Python does not allow a required parameter after a parameter with a
default.

Example:

    inputs.x      = { dtype = "T", shape = "*s" }
    inputs.scale  = { dtype = "T", shape = "", optional = true }
    inputs.weight = { dtype = "T", shape = "*s" }

How to fix: move the required input up. In an op that inherits inputs by `like`, set `order`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG302", "required-after-optional", Stage.NAMES)


def check(op: OpContext) -> Findings:
    absent = None
    for name, tensor in op.spec.inputs.items():
        if not tensor.always or tensor.seed:
            absent = absent or name
        elif absent:
            yield RULE.at(
                op.at(tensor.path, "key"),
                f"`{name}` is required, but comes after `{absent}`, which a caller may leave out",
                f"move `{name}` before `{absent}`, or set `inputs.order`",
            )
