"""Two cases hold at once.

What it does: evaluates the conditions of every table of cases in every combination of
presence, enums, bools, dtypes and forms.

Why: at most one case may hold; a table has no order that would decide.

Example:

    outputs.y = { dtype = "T", shape = { "mean" = "", "mean or total" = "", else = "*s" } }

How to fix: make the conditions exclude each other, or write `else` for the rest.
"""

from collections.abc import Iterator

from opgen.combinations import decide
from opgen.diagnostics import Diagnostic
from opgen.lint.cases import Cased, cased
from opgen.lint.rule import Rule, Stage
from opgen.lint.subject import DtypeTable, Subject

RULE = Rule("OG320", "two-cases", Stage.MEANING, on=("dtypes", "op"))


def check(subject: Subject | DtypeTable) -> Iterator[Diagnostic]:
    for table in cased(subject):
        yield from _first(subject, table)


def _first(subject: Subject | DtypeTable, table: Cased) -> Iterator[Diagnostic]:
    for values, words in table.worlds:
        held = [c for c, e in table.conditions if decide(e, values) is True]
        if len(held) > 1:
            yield RULE.at(
                subject.at((*table.path, held[1]), "key"),
                f"two cases hold at once, `{held[0]}` and `{held[1]}`, {words}",
                "make them exclude each other, or write `else` for the rest",
            )
            return
