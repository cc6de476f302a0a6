"""An argument of a backward is nothing that the forward has.

What it does: every required input and attr of a backward, and every size that a function
computes there, is `args`' expression for it, else the thing of its name in the forward: an
input, output, residual, attr, dim (as an `int` attr), group (`int[]`), dtype variable, or, as
`d` and an output's name, a cotangent.

Why: what the backward reads must be saved, and the forward saves only what it has.

Example: a backward with `inputs.mean` whose forward has no residual `mean`.

How to fix: name it as in the forward; say what it is with `args`; or make it optional.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.pairing import pairs
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, nearest

RULE = Rule("OG402", "unbound-argument", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for pair in pairs(op):
        theirs = pair.backward.spec
        required = [(n, "input") for n, t in theirs.inputs.items() if t.always]
        required += [(n, "attr") for n, a in theirs.attrs.items() if a.required]
        required += [(n, "size") for n in pair.backward.scope.functions]
        for name, kind in required:
            if {**pair.inputs, **pair.attrs}[name].source != "absent":
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
