"""Names stand for expressions that stand for expressions, until they are too large.

What it does: counts what a derived dim or dtype variable is when everything in it is written
out; there may be 1000 names, numbers and operators, and 50 names one behind the other.

Why: wherever the name is used, the expression is: `dims.a = "b*b"`, `dims.b = "c*c"` and
so on doubles with each line.

Example: thirty dims, each the square of the next.

How to fix: compute it in Python: `dims.a = { fn = "sizes.py:a" }`.
"""

from collections.abc import Iterator

from opgen.language.expr import Expr, Name
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG327", "expression-size", Stage.STRUCTURE, on=("dtypes", "op"))

NODES_AT_MOST = 1000
DEEPEST = 50


def check(subject: OpContext | DtypeTable) -> Iterator[Diagnostic]:
    written: dict[str, list[list[Expr]]] = {}
    prefix = ("dims",) if isinstance(subject, OpContext) else ()
    for site in subject.sites:
        if site.path[: len(prefix)] == prefix:
            written.setdefault(str(site.path[len(prefix)]), []).append(site.parts)
    sizes: dict[str, int] = {}
    for name in written:
        if _size(name, written, sizes, 0) > NODES_AT_MOST:
            yield RULE.at(
                subject.at((*prefix, name)),
                f"`{name}` is too large when all names in it are written out",
                (
                    'compute it in Python: `{ fn = "sizes.py:name" }`'
                    if prefix
                    else "derive it from a free variable"
                ),
            )
            return


def _size(
    name: str, written: dict[str, list[list[Expr]]], sizes: dict[str, int], depth: int
) -> int:
    """How many nodes a name is, written out; a circle counts as one."""
    if name not in written or name in sizes:
        return sizes.get(name, 1)
    if depth > DEEPEST:
        return NODES_AT_MOST + 1
    sizes[name] = 1
    nodes = [node for parts in written[name] for node in parts]
    inner = (_size(n.id, written, sizes, depth + 1) if isinstance(n, Name) else 1 for n in nodes)
    sizes[name] = min(sum(inner), NODES_AT_MOST + 1)
    return sizes[name]
