"""Whether a tensor is present depends on itself.

What it does: follows what each `when` names: the presence of other tensors, and dtypes,
which are known only when a tensor that carries them is there.

Why: presence and dtypes are decided one after the other, each when what it names is.

Example:

    inputs.a = { dtype = "T", shape = "n", when = "present(b)" }
    inputs.b = { dtype = "T", shape = "n", when = "present(a)" }

How to fix: make one of them `optional`, or let an attr decide.
"""

from collections.abc import Iterator

from opgen.language.expr import names_in, parse_expr
from opgen.language.scope import cases_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.lint.rules.dtype_circle import circle
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG316", "circular-when", Stage.TYPES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    reads = {
        name: list(names_in(parse_expr(entry["when"])))
        for _, name, entry in op.scope.entries()
        if "when" in entry
    }
    if not reads:
        return
    reads |= {v: _read_by_dtype(op, v) for v in op.scope.dtypes}
    told: set[str] = set()
    for table, name, entry in op.scope.entries():
        if "when" in entry and name not in told:
            chain = circle(name, reads)
            told |= {*chain}
            if chain:
                yield RULE.at(
                    op.at((table, name, "when")),
                    f"`when` goes round in a circle: {' -> '.join(chain)}",
                    "let an attr decide, or make one of them `optional`",
                )


def _read_by_dtype(op: OpContext, variable: str) -> list[str]:
    """What must be decided before a dtype variable is known."""
    value = op.scope.dtypes[variable]
    if not isinstance(value, list):
        return [n for c, v in cases_of(value) for t in (c, str(v)) if t for n in names_in(parse_expr(t))]  # fmt: skip
    if variable in op.scope.attrs:
        return []
    found = []
    for _, name, entry in op.scope.entries("inputs"):
        for condition, dtype in cases_of(entry["dtype"]):
            if dtype == variable:
                if condition is None and "when" not in entry:
                    return []
                found += [name] if "when" in entry else []
                found += names_in(parse_expr(condition)) if condition else []
    return found
