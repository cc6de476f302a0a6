"""A dim that may be split occurs twice in one shape.

This rule checks that each name in `sharding.split` occurs in at most one term of a shape, in
every combination of options.

Why: if both dims were split, each device would hold only a block on the diagonal, and the other
blocks would be lost.

Example:

    inputs.x       = { dtype = "T", shape = "n n" }
    sharding.split = ["n"]

How to fix: remove the name from `sharding.split`. Or give one of the dims another name, and require
that both are equal.
"""

from opgen.language.expr import names_in
from opgen.language.shapes import Group, Term
from opgen.lint.expression_contexts import spans_in_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.sharding import splits

RULE = Rule("OG508", "split-twice", Stage.MEANING)


def check(op: OpContext) -> Findings:
    found = set()
    for split in splits(op):
        for each in split.shapes:
            for name in split.names:
                held = sum(_holds(term, name) for term in each.shape.terms)
                if held < 2 or (each.path, name) in found:
                    continue
                found.add((each.path, name))
                spans = spans_in_shape(each.text, name) or [(0, len(each.text))]
                yield RULE.at(
                    op.at(each.path, "value", *spans[-1]),
                    f"`{name}` is split, and occurs twice in the shape of `{each.tensor.name}`",
                    "do not split it, or give one of the dims another name",
                )


def _holds(term: Term, name: str) -> bool:
    return term.name == name if isinstance(term, Group) else name in names_in(term.size)
