"""`values` on an input that does not hold integers.

What it does: `values` is a condition on an integer input's elements, under its own name.

Why: it says which indices, offsets and labels are legal, so that tests draw none that make
a kernel read outside of its memory.

Example:

    inputs.x = { dtype = "f32", shape = "n", values = "x > 0" }

How to fix: leave it out; what a floating input may hold belongs to `doc`.
"""

from collections.abc import Iterator

from opgen.diagnostics import Diagnostic
from opgen.expr import Call, names_in
from opgen.lint.rule import Rule, Stage
from opgen.lint.subject import Subject

RULE = Rule("OG310", "bad-values", Stage.MEANING)


def check(op: Subject) -> Iterator[Diagnostic]:
    for site in op.sites:
        if site.sees != "element":
            continue
        name = str(site.path[1])
        if op.element(name).removesuffix("?") != "int":
            where = op.at((*site.path[:2], "values"), "key")
            yield RULE.at(
                where, f"`{name}` does not hold integers", "leave `values` out"
            )
        elif not _speaks_of(site.expr, name):
            message = f"the condition says nothing of `{name}`"
            yield RULE.at(op.at(site.path), message, f'write "0 <= {name} < n"')


def _speaks_of(expr, name: str) -> bool:
    offsets = isinstance(expr, Call) and expr.func == "offsets"
    return offsets or name in names_in(expr)
