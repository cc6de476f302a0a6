"""The forward has no value for an argument of a backward.

This rule looks for a value for each required input and attr of a backward, and for each size
that a Python function computes. The value is the expression in `args`, if there is
one. Otherwise it is the forward's value of the same name: an input, output, residual, attr, dim (as
an `int` attr), group (`int[]`) or dtype variable. The name `d` + output stands for the output's
cotangent.

Why: the forward saves the values that the backward reads, so it must have these values.

Example: a backward with `inputs.mean` whose forward has no residual `mean`.

How to fix: use the forward's name, write the value in `args`, or make the argument optional.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import nearest

RULE = Rule("OG402", "unbound-argument", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        theirs = pair.backward.spec
        required = [(n, "input") for n, t in theirs.inputs.items() if t.always]
        required += [(n, "attr") for n, a in theirs.attrs.items() if a.required]
        required += [(n, "size") for n in pair.backward.scope.functions]
        given = {**pair.inputs, **pair.attrs}
        for name, kind in required:
            if given[name].source != "absent":
                continue
            if name in pair.call.args:
                message = (
                    f"the {kind} `{name}` of `{theirs.name}` is required, and would get `None`"
                )
                yield RULE.at(pair.place(name), message, "pass a tensor, or make it `optional`")
                continue
            near = nearest(name, [*op.types, *op.cotangents])
            help_ = f'say what it is: `args = {{ {name} = "{near or "..."}" }}`'
            yield RULE.at(
                pair.place(name),
                f"the {kind} `{name}` of `{theirs.name}` binds to nothing in `{op.name}`",
                help_,
            )
