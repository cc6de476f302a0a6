"""An expression calls a function that the language does not have.

This rule looks up every name before parentheses.

Why: a function must mean the same in Python, in C++ and on symbolic sizes.

Example:

    workspace.parts = { dtype = "f32", shape = "product(norm)" }

How to fix: use one of the functions that the message lists. If they cannot express the size,
compute it in Python: `dims.m = "sizes.py:m"`.
"""

import re

from opgen.language.expr import ParseError
from opgen.language.expr.syntax import ELEMENTWISE, FUNCTIONS, IN_FORMULAS
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import span
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG105", "unknown-function", Stage.STRUCTURE, on=("dtypes", "op", "remains"))

_CALL = re.compile(r"(?<![\w.'])([A-Za-z_]\w*)\s*\(")
_WORDS = {"and", "or", "not", "in", "if", "else"}
_KNOWN = {*FUNCTIONS, *ELEMENTWISE, *_WORDS}


def check(subject: OpContext | DtypeTable) -> Findings:
    for site in subject.sites:
        try:
            site.expr
        except ParseError:
            known = IN_FORMULAS if site.sees == "formula" else FUNCTIONS
            for start, name in unknown_calls(site.text):
                where = span(subject, site, start, start + len(name))
                help_ = "write `a if c else b`" if name == "where" else did_you_mean(name, known)
                yield RULE.at(where, f"unknown function `{name}`", help_)


def unknown_calls(text: str) -> list[tuple[int, str]]:
    """Return (offset, name) for each call in `text` of a function that opgen does not have."""
    return [(m.start(1), m[1]) for m in _CALL.finditer(text) if m[1] not in _KNOWN]
