"""An expression calls a function that this kind of expression cannot use.

This rule allows the elementwise functions `exp log sqrt rsqrt tanh erf abs sign sin cos` only
in `grad.formulas`. Only `values` may use `offsets`, `ascending` and `distinct`. A gradient formula
may use only the elementwise functions, `min`, `max` and `present`.

Why: sizes are integers. A formula applies to elements, which have no shape.

Example:

    dims.p = "sqrt(n)"

How to fix: if the language cannot express a size, compute it in Python: `dims.p = "sizes.py:p"`.
"""

from opgen.language.expr import calls_in
from opgen.language.expr.places import spans_of_call
from opgen.language.expr.syntax import ELEMENTWISE, FUNCTIONS, IN_FORMULAS, OF_ROWS
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import Site, span
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG209", "misplaced-function", Stage.NAMES, on=("dtypes", "op"))

IN_VALUES = {*FUNCTIONS} - {"prod", "rank", "stride"}
# Functions that only `values` may call.
OF_VALUES = ("offsets", *OF_ROWS)


def check(subject: OpContext | DtypeTable) -> Findings:
    for site in subject.sites:
        for func in dict.fromkeys(c.func for c in calls_in(site.expr)):
            if not _allowed(site, func):
                for start, end in spans_of_call(site.text, func):
                    where = span(subject, site, start, end)
                    yield RULE.at(where, _message(site, func), _help(site, func))


def _allowed(site: Site, func: str) -> bool:
    if site.sees == "formula":
        return func in IN_FORMULAS
    if site.sees == "element":
        return func in IN_VALUES
    return func not in ELEMENTWISE and func not in OF_VALUES


def _message(site: Site, func: str) -> str:
    if func in OF_VALUES:
        return f"`{func}` is for the `values` of an input"
    if site.sees == "formula":
        return f"`{func}` is no elementwise function: a formula cannot call it"
    if func in ELEMENTWISE:
        return f"`{func}` is elementwise: only `grad.formulas` can call it"
    return f"`{func}` asks for a shape: `values` sees single elements"


def _help(site: Site, func: str) -> str:
    if site.sees == "formula" and func not in OF_VALUES:
        return f"formulas call {', '.join(IN_FORMULAS)}; else write a backward op"
    if site.path[0] == "dims" and func in ELEMENTWISE:
        return f'`dims.{site.path[1]} = "sizes.py:{site.path[1]}"` computes it in Python'
    return ""
