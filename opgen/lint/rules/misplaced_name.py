"""`i`, `arch`, `sms` or an indexed size is in an expression that cannot use it.

This rule allows `i`, the index of a tensor in a list, only in tensors with `list`. A size such
as `n[i]` differs for each tensor of the list, so the name `n` alone has no value. `arch` and `sms`
describe the device, and only `kernels.*` and workspace sizes may use them.

Why: shapes, dtypes and results do not depend on the device.

Example:

    require = ["arch >= 80"]

How to fix: move the condition to the kernel's `require`. For a size that depends on the device, use
a Python function with a parameter `arch` or `sms`: `dims.splits = "sizes.py:splits"`.
"""

from opgen.language.expr import Expr, Index, Name, names_in, walk
from opgen.language.expr.places import spans_of_name
from opgen.language.scope import RESERVED
from opgen.language.shapes import Group, parse_shape
from opgen.lint.expression_contexts import Site, span, span_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.tables import TENSOR_TABLES

RULE = Rule("OG208", "misplaced-name", Stage.NAMES)


def check(op: OpContext) -> Findings:
    each = _of_each(op)
    for site in op.sites:
        for name in names_in(site.expr):
            if name in each and not _only_indexed(site.expr, name):
                where = span_of(op, site, name)
                message = f"`{name}` is a size of each tensor in a list: it has no single value"
                yield RULE.at(where, message, f"write `{name}[i]`, in the list")
            if name not in RESERVED or op.known(site, name):
                continue
            for start, end in spans_of_name(site.text, name):
                where = span(op, site, start, end)
                if name == "i":
                    message = "`i` is the index in a list of tensors; there is none here"
                    help_ = _index_help(site)
                else:
                    message = (
                        f"`{name}` is the device's: only `kernels.*` and workspace sizes see it"
                    )
                    help_ = "move the condition to the kernel's `require`"
                    if site.path[0] != "require":
                        help_ = "a size may follow from it by a Python function, which asks for it"
                yield RULE.at(where, message, help_)
    for path, text, tensor in op.shapes:
        if tensor.list is None and any(g.each for g in parse_shape(text).groups):
            start = text.index("[i]")
            where = op.at(path, "value", start + 1, start + 2)
            message = "`i` is the index in a list of tensors; there is none here"
            yield RULE.at(where, message, "give the tensor a `list`")


def _index_help(site: Site) -> str:
    """Return the advice for an expression that uses `i` but is not in a list."""
    return "give the tensor a `list`" if site.path[0] in TENSOR_TABLES else "rename the size"


def _of_each(op: OpContext) -> set[str]:
    """Return the dims and groups that some shape uses with an index, such as `s[i]`."""
    found: set[str] = set()
    for shape in (parse_shape(text) for _, text, _ in op.shapes):
        for term in shape.terms if shape.each else ():
            if isinstance(term, Group):
                found |= {term.name} if term.each else set()
            else:
                found |= {n for n in names_in(term.size) if _indexed(term.size, n)}
    return found - {"i", *op.spec.attrs}  # an attr does not need an index


def _indexed(expr: Expr, name: str) -> int:
    """Return the number of times that `name[i]` occurs in `expr`."""
    return sum(part == Index(Name(name), Name("i")) for part in walk(expr))


def _only_indexed(expr: Expr, name: str) -> bool:
    return _indexed(expr, name) == sum(part == Name(name) for part in walk(expr))
