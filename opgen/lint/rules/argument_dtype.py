"""An argument of a backward has a dtype that the backward does not accept.

This rule checks the dtypes of the backward's arguments, for each combination of dtypes in which
the forward can be differentiated. The backward's dtype variables must allow these dtypes.

Why: the forward would accept a call, but asking for its gradient would fail.

Example: a forward over `T = ["f32", "f64"]` with a backward over `F = ["f32"]`.

How to fix: list every floating dtype of the forward's variable in the backward's variable.
"""

from opgen.lint.dtype_pairing import dtype_troubles
from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG407", "argument-dtype", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        for kind, name, message in dtype_troubles(pair):
            if kind == "argument":
                help_ = f"let `{pair.backward.name}` take every floating dtype of `{op.name}`"
                yield RULE.at(pair.place(name), message, help_)
