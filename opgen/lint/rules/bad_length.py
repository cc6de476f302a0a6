"""`length` does not name an integer scalar output, or its tensor has no leading dim.

This rule checks that `length` is on an output whose shape starts with a single dim. `length`
must name another output that is present in the same calls. This output must have an integer dtype
and the shape `""`.

Why: the wrappers slice the leading dim by the value of that output.

Example:

    outputs.keep  = { dtype = "i64", shape = "n", length = "count" }
    outputs.count = { dtype = "f32", shape = "" }

How to fix: give the output that `length` names an integer dtype and the shape `""`.
"""

from opgen.language.shapes import Group, parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG305", "bad-length", Stage.TYPES)


def check(op: OpContext) -> Findings:
    outputs = op.spec.outputs
    for name, tensor in outputs.items():
        length = tensor.length
        if length is None:
            continue
        where = op.at((*tensor.path, "length"))
        scalars = [o for o, t in outputs.items() if t.one_shape == "" and op.element(o) == "int"]
        if length not in outputs:
            message = f"`length` names `{length}`, which is no output"
            yield RULE.at(where, message, did_you_mean(length, scalars))
        elif length not in scalars:
            message = f"`{length}` holds no length"
            help_ = 'it must be an output of an integer dtype and the shape `""`, always there'
            yield RULE.at(where, message, help_)
        for below, text in tensor.texts:
            terms = parse_shape(text).terms
            if not terms or isinstance(terms[0], Group):
                where = op.at((*tensor.path, *below))
                message = f"`{name}` has a `length`, but its shape does not begin with a dim"
                yield RULE.at(where, message, "`length` is that of the leading dim")
