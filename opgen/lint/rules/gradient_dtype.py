"""A gradient of a floating input is not floating.

What it does: goes through the dtypes in which the forward may be differentiated, and looks
at the dtype of every gradient.

Why: a gradient may be of any floating dtype, the cast to the primal's comes last; an
integer holds no gradient.

Example:

    outputs.dx = { dtype = "i32", shape = "*s" }

How to fix: give it the primal's dtype, or `accum` of it where shards are summed.
"""

from collections.abc import Iterator

from opgen.lint.dtype_pairing import dtype_troubles
from opgen.lint.op_context import OpContext
from opgen.lint.pairing import pairs
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG413", "gradient-dtype", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for pair in pairs(op):
        for kind, name, message in dtype_troubles(pair):
            if kind == "gradient":
                where = pair.backward.at(("outputs", name, "dtype"))
                yield RULE.at(where, message, "a gradient is floating")
