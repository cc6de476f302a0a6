"""A part of an expression has the wrong type.

What it does: types every expression. A condition is a bool, a size is an int; `/` gives a
float, `//` and `%` take ints; only what is alike is compared; the branches of `if` agree;
`present` is asked only of what can be absent; a group is no number.

Why: the same expression is printed as Python and as C++, which would otherwise convert
differently.

Example:

    require = ["d % 8"]

How to fix: as the message says: here, `"d % 8 == 0"`.
"""

from collections.abc import Iterator

from opgen.language.expr.places import span_at
from opgen.language.expr.types import WORDS, TypeMismatch, expect
from opgen.language.shapes import parse_shape
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import span, spans_in_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG204", "expression-type", Stage.TYPES, on=("dtypes", "op"))


def check(subject: OpContext | DtypeTable) -> Iterator[Diagnostic]:
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


def _groups(op: OpContext) -> Iterator[Diagnostic]:
    for path, text, _ in op.shapes:
        for group in parse_shape(text).groups:
            kind = op.types[group.name].removesuffix("?")
            if kind != "ints":
                where = op.at(path, "value", *spans_in_shape(text, group.name)[0])
                message = f"`*{group.name}` is a group, but `{group.name}` is {WORDS[kind]}"
                help_ = "a name is a dim or a group, not both"
                yield RULE.at(where, message, help_)
