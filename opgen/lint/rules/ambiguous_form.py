"""Two shapes in an input's list of shapes have the same rank.

This rule compares the ranks of the shapes that `shape` lists.

Why: opgen chooses the first shape whose rank fits, so it would never choose the later one.

Example:

    inputs.scale = { dtype = "f32", shape = ["m", "n"] }

How to fix: let a condition decide, such as a bool attr `per_row`. Write
`shape = { per_row = "m", else = "n" }`.
"""

from opgen.language.shapes import parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG324", "ambiguous-form", Stage.TYPES)


def check(op: OpContext) -> Findings:
    for tensor in op.spec.inputs.values():
        seen: dict[tuple[object, ...], str] = {}
        for below, text in tensor.texts:
            if not isinstance(below[-1], int):
                continue
            shape = parse_shape(text)
            groups = sorted(g.name for g in shape.groups)
            rank = (*below[:-1], len(shape.terms), *groups)
            if rank in seen:
                yield RULE.at(
                    op.at((*tensor.path, *below)),
                    f"`{text}` has the rank of `{seen[rank]}`, so it is never chosen",
                    "choose by a condition: a table from conditions to shapes",
                )
            seen.setdefault(rank, text)
