"""An argument of a backward has the wrong kind.

This rule checks the values that a backward's inputs and attrs get from the forward. An input
must get a tensor of the forward or a cotangent, given by its name. An attr must get a value of the
attr's type: an expression in `args`, or the forward's value of the same name. If one of two paired
tensors has `device` or is a list, the other tensor must have the same `device` or be a list too.

Why: opgen passes saved tensors to the backward as they are, and does not compute with them.

Example:

    grad.backward = { op = "relu_bwd", args = { y = "2*y" } }

How to fix: pass the tensor itself, and compute the value in the backward.
"""

from opgen.language.expr import Expr, Name
from opgen.language.expr.types import WORDS, fits, type_of
from opgen.lint.expression_contexts import Site
from opgen.lint.pairing import TENSORS, pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG404", "argument-kind", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        inputs = pair.backward.spec.inputs
        for name, arg in pair.inputs.items():
            if arg.source not in (*TENSORS, "absent"):
                kind = _type(op, arg.expr or Name(arg.of))
                yield RULE.at(
                    pair.place(name),
                    f"`{name}` of `{pair.backward.name}` is a tensor, and would get {WORDS[kind]}",
                    "pass a tensor or a cotangent by its name",
                )
            elif arg.source != "absent":
                ours, theirs = op.spec.tensors[arg.of], inputs[name]
                if (ours.list is None) != (theirs.list is None):
                    message = (
                        f"`{name}` of `{pair.backward.name}` and `{arg.of}` are not both lists"
                    )
                    yield RULE.at(pair.place(name), message, "make both of them lists")
                if ours.device != theirs.device:
                    message = (
                        f"`{name}` of `{pair.backward.name}` and `{arg.of}` are not both "
                        "on the CPU"
                    )
                    yield RULE.at(pair.place(name), message, 'give both of them `device = "cpu"`')
        for name, arg in pair.attrs.items():
            if arg.source == "absent":
                continue
            wanted = pair.backward.scope.type_of(name) or "any"
            found = "tensor" if arg.source in TENSORS else _type(op, arg.expr or Name(arg.of))
            # `attr` is None if a Python function computes the size `name`.
            attr = pair.backward.spec.attrs.get(name)
            if found == "none" and attr is not None and attr.optional:
                continue
            if not fits(found, wanted):
                yield RULE.at(
                    pair.place(name),
                    f"`{name}` of `{pair.backward.name}` is {WORDS[wanted]}, and would get {WORDS[found]}",
                    f'say what it is: `args = {{ {name} = "..." }}`',
                )


def _type(op: OpContext, expr: Expr) -> str:
    site = Site((), "", "any", "argument")
    return type_of(expr, lambda name: op.lookup(site, name)) or "none"
