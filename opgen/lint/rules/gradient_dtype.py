"""A gradient of a floating input is not floating.

This rule checks the dtype of every gradient, for each combination of dtypes in which the
forward can be differentiated.

Why: a gradient may have any floating dtype, because opgen casts it to the dtype of the input at the
end. An integer cannot hold a gradient.

Example:

    outputs.dx = { dtype = "i32", shape = "*s" }

How to fix: give the gradient the dtype of the input. If opgen sums parts of the gradient over
devices, use `accum` of this dtype.
"""

from opgen.lint.dtype_pairing import dtype_troubles
from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG413", "gradient-dtype", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        for kind, name, message in dtype_troubles(pair):
            if kind == "gradient":
                where = pair.backward.at(("outputs", name, "dtype"))
                yield RULE.at(where, message, "a gradient is floating")
