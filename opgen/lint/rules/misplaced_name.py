"""`i`, `arch` or `sms` where they mean nothing.

What it does: `i` is the index inside a tensor that is a `list`; `arch` and `sms` describe
the device, for `kernels.*` and workspace sizes only.

Why: shapes, dtypes and results do not depend on where the op runs.

Example:

    require = ["arch >= 80"]

How to fix: move the condition to the kernel: `kernels.cuda.require`.
"""

from collections.abc import Iterator

from opgen.diagnostics import Diagnostic
from opgen.expr import names_in
from opgen.expr.places import spans_of_name
from opgen.lint.rule import Rule, Stage
from opgen.lint.sites import span
from opgen.lint.subject import Subject
from opgen.scope import RESERVED
from opgen.shapes import parse_shape

RULE = Rule("OG208", "misplaced-name", Stage.NAMES)


def check(op: Subject) -> Iterator[Diagnostic]:
    for site in op.sites:
        for name in names_in(site.expr):
            if name not in RESERVED or op.known(site, name):
                continue
            for start, end in spans_of_name(site.text, name):
                where = span(op, site, start, end)
                if name == "i":
                    message = "`i` is the index in a list, and this is none"
                    help_ = "give the tensor a `list`"
                else:
                    message = f"`{name}` is known to kernels only"
                    help_ = "move the condition to the kernel's `require`"
                yield RULE.at(where, message, help_)
    for path, text, entry in op.shapes:
        if "list" not in entry and any(g.each for g in parse_shape(text).groups):
            start = text.index("[i]")
            where = op.at(path, "value", start + 1, start + 2)
            message = "`i` is the index in a list, and this is none"
            yield RULE.at(where, message, "give the tensor a `list`")
