"""In some call no case holds, and there is no `else`.

This rule evaluates the conditions of every table of cases in every combination of options.
Options are the presence of tensors, bools, attrs with `choices`, dtypes, and the ranks of inputs.

Why: in a call in which no case holds, a tensor would have no shape, dtype or layout.

Example:

    attrs.order = { type = "str", choices = ["NHD", "HND"] }
    inputs.k    = { dtype = "T", shape = { "order == 'NHD'" = "t h d" } }

How to fix: add the missing case, or an `else`.
"""

from opgen.language.call_variants import where
from opgen.language.expr.decide import decide
from opgen.lint.cases import Cased, cased
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG321", "no-case", Stage.MEANING, on=("dtypes", "op"))


def check(subject: OpContext | DtypeTable) -> Findings:
    for table in cased(subject):
        if not table.rest:
            yield from _check(subject, table)


def _check(subject: OpContext | DtypeTable, table: Cased) -> Findings:
    worlds = [
        w for w in table.worlds if all(decide(e, w.values) is False for _, e in table.conditions)
    ]
    if worlds:
        message = f"no case holds{where(worlds, table.worlds)}"
        place = subject.at(table.path, "key")
        yield RULE.at(place, message, "add a case, or `else`")
