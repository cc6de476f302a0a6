"""The conditions of two cases hold at once.

This rule evaluates the conditions of every table of cases in every combination of options.
Options are the presence of tensors, bools, attrs with `choices`, dtypes, and the ranks of inputs.

Why: the cases of a table have no order, so opgen could not choose between two cases.

Example:

    outputs.y = { dtype = "T", shape = { "mean" = "", "mean or total" = "", else = "*s" } }

How to fix: make the conditions exclude each other, or write `else` for the rest.
"""

from opgen.language.call_variants import Combination, where
from opgen.language.expr.decide import decide
from opgen.lint.cases import Cased, cased
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG320", "two-cases", Stage.MEANING, on=("dtypes", "op"))


def check(subject: OpContext | DtypeTable) -> Findings:
    for table in cased(subject):
        yield from _check(subject, table)


def _check(subject: OpContext | DtypeTable, table: Cased) -> Findings:
    failing: dict[tuple[str, str], list[Combination]] = {}
    for world in table.worlds:
        held = [c for c, e in table.conditions if decide(e, world.values) is True]
        if len(held) > 1:
            failing.setdefault((held[0], held[1]), []).append(world)
    for (first, second), worlds in failing.items():
        yield RULE.at(
            subject.at((*table.path, second), "key"),
            f"two cases hold at once, `{first}` and `{second}`{where(worlds, table.worlds)}",
            "make them exclude each other, or write `else` for the rest",
        )
