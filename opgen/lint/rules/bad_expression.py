"""A text is not a valid expression.

This rule parses every expression: conditions, sizes, formulas, defaults, arguments.

Why: opgen renders a small subset of Python as Python and as C++. Anything outside this subset has
no meaning in Python or in C++.

Example:

    dims.p = "(h - r) // stride +"

How to fix: use only literals, names, `+ - * / // % **`, comparisons, `in (..)`, `and or not`, `a if
c else b`, `v[0]` and opgen's functions, such as `ceildiv`.
"""

import re

from opgen.language.expr import ParseError
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import Site, span
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.rules.unknown_function import unknown_calls
from opgen.spec.let import LONGEST, TooLong

RULE = Rule("OG104", "bad-expression", Stage.STRUCTURE, on=("dtypes", "op", "remains"))

_COMPARISON = re.compile("[!<>=]=")
# Operators and words of other languages, with the spelling that opgen expects.
_OURS = {"&&": "and", "||": "or", "!": "not", "?": "a if c else b", "^": "**", "=": "=="}


def check(subject: OpContext | DtypeTable) -> Findings:
    for site in subject.sites:
        if isinstance(site.text, TooLong):
            if site.text.first:
                message = f"this has more than {LONGEST} characters with its conditions written out"
                help = "give it fewer of them, or write the op as several ops"
                yield RULE.at(span(subject, site, 0, len(site.text)), message, help)
            continue
        try:
            site.expr
        except ParseError as error:
            if unknown_calls(site.text) or site.in_shape:
                continue
            at = site.text.index("^") if "^" in site.text else error.offset
            start = max(0, min(at, len(site.text) - 1))
            message = error.message[:1].lower() + error.message[1:]
            yield RULE.at(span(subject, site, start, start + 1), message, _help(site))


def _help(site: Site) -> str:
    if not site.text.strip():
        return "write an expression"
    text = _COMPARISON.sub("", site.text)
    return next((f"write `{ours}`" for theirs, ours in _OURS.items() if theirs in text), "")
