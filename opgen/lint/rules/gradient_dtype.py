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

from opgen.diagnostics import Diagnostic
from opgen.lint.rule import Rule, Stage
from opgen.lint.subject import Subject

RULE = Rule("OG413", "gradient-dtype", Stage.MEANING)


def check(op: Subject) -> Iterator[Diagnostic]:
    for pair in op.pairs:
        for kind, name, message in pair.dtype_troubles:
            if kind == "gradient":
                where = pair.backward.at(("outputs", name, "dtype"))
                yield RULE.at(where, message, "a gradient is floating")
