"""A chain of derived names expands to an expression that is too large.

This rule expands every derived dim and dtype variable. The result may have at most 1000 names,
numbers and operators. A chain of names that depend on each other may have at most 50 names.

Why: opgen replaces each use of a name by its expression. With `dims.a = "b*b"`, `dims.b = "c*c"`
and so on, the size of the result doubles with each line.

Example: thirty dims, each the square of the next.

How to fix: compute the size in Python: `dims.a = "sizes.py:a"`.
"""

from opgen.language.expr import Expr, Name
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG327", "expression-size", Stage.STRUCTURE, on=("dtypes", "op"))

NODES_AT_MOST = 1000
DEEPEST = 50


def check(subject: OpContext | DtypeTable) -> Findings:
    written: dict[str, list[list[Expr]]] = {}
    prefix = ("dims",) if isinstance(subject, OpContext) else ()
    for site in subject.sites:
        if site.path[: len(prefix)] == prefix:
            written.setdefault(str(site.path[len(prefix)]), []).append(site.parts)
    known: dict[str, tuple[int, int]] = {}
    for name in written:
        size, height = _measure(name, written, known, 0)
        if size > NODES_AT_MOST or height > DEEPEST:
            yield RULE.at(
                subject.at((*prefix, name)),
                f"`{name}` is too large when all names in it are written out",
                (
                    'compute it in Python: `"sizes.py:name"`'
                    if prefix
                    else "derive it from a free variable"
                ),
            )
            return


def _measure(
    name: str, written: dict[str, list[list[Expr]]], known: dict[str, tuple[int, int]], depth: int
) -> tuple[int, int]:
    """Return the number of nodes in the expanded `name`, and the length of the longest chain of
    names.

    In a circular definition, the repeated name counts as one node, because another rule reports
    the circle.
    """
    if name not in written or name in known:
        return known.get(name, (1, 0))
    if depth > DEEPEST:
        return NODES_AT_MOST + 1, depth
    known[name] = 1, 0
    size, height = 0, 0
    for node in (node for parts in written[name] for node in parts):
        inner = _measure(node.id, written, known, depth + 1) if isinstance(node, Name) else (1, 0)
        size, height = size + inner[0], max(height, 1 + inner[1])
    known[name] = min(size, NODES_AT_MOST + 1), height
    return known[name]
