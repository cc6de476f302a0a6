"""A part of an expression has the wrong type.

This rule checks the type of every expression. A condition must be a bool, and a size an int.
`/` returns a float; `//` and `%` require ints. Both sides of a comparison, and both branches of an
`if`, must have compatible types. The argument of `present` must be a tensor or attr that can be
absent. A group cannot be used as a number.

Why: opgen renders the same expression as Python and as C++. The implicit conversions of the two
languages differ.

Example:

    require = ["d % 8"]

How to fix: follow the message. Here, write `"d % 8 == 0"`.
"""

from opgen.language.expr.places import span_at
from opgen.language.expr.types import WORDS, TypeMismatch, expect
from opgen.language.shapes import parse_shape
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import span
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG204", "expression-type", Stage.TYPES, on=("dtypes", "op"))


def check(subject: OpContext | DtypeTable) -> Findings:
    for site in subject.sites:
        try:
            expect(
                site.expr,
                lambda name: subject.lookup(site, name),
                site.wants,
                elementwise=site.sees in ("element", "formula"),
            )
        except TypeMismatch as wrong:
            where = span(subject, site, *span_at(site.text, wrong.path))
            help_ = wrong.help
            if not wrong.path and site.wants == "int" and "float" in wrong.message:
                help_ = "`//` divides ints"
            if not wrong.path and site.wants == "bool":
                help_ = help_ or "write a comparison"
            yield RULE.at(where, wrong.message, help_)
    if isinstance(subject, OpContext):
        yield from _groups(subject)


def _groups(op: OpContext) -> Findings:
    for path, text, _ in op.shapes:
        for group in parse_shape(text).groups:
            kind = op.types[group.name].removesuffix("?")
            if kind != "ints":
                where = op.in_shape(path, text, group.name)
                message = f"`*{group.name}` is a group, but `{group.name}` is {WORDS[kind]}"
                help_ = "a name is a dim or a group, not both"
                yield RULE.at(where, message, help_)
