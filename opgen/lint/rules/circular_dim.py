"""A derived dim is computed from itself.

This rule follows the expressions in `dims`.

Why: opgen replaces each use of the name by the expression, and here the replacement would never
end.

Example:

    dims.p = "q + 1"
    dims.q = "p - 1"

How to fix: compute one of the dims from dims that inputs or attrs determine.
"""

from opgen.language.expr import names_in
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.rules.dtype_circle import circles

RULE = Rule("OG317", "circular-dim", Stage.TYPES)


def check(op: OpContext) -> Findings:
    reads: dict[str, list[str]] = {}
    for site in op.sites:
        if site.path[0] == "dims":
            reads.setdefault(str(site.path[1]), []).extend(names_in(site.expr))
    for chain in circles(reads, reads):
        yield RULE.at(
            op.at(("dims", chain[0])),
            f"`{chain[0]}` is computed from itself: {' -> '.join(chain)}",
            "compute it from what inputs or attrs give",
        )
