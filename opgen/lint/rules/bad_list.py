"""The length or element sizes of a list of tensors do not fit.

This rule checks that the name in `list` is an int: a dim that the list determines, an `int`
attr, or a derived dim. Only the list of an input can determine its length. In shapes, a name that
is not an attr must have an index (`s[i]`, `*s[i]`) either everywhere or nowhere. All lists in which
the name has an index must have the same length.

Why: `s[i]` is a different size for every tensor of the list; `s` is one size for all tensors.

Example:

    inputs.params = { dtype = "T", shape = "*s[i]", list = "n" }
    inputs.mask   = { dtype = "T", shape = "*s" }

How to fix: write `[i]` in both shapes, or give the sizes different names.
"""

from collections.abc import Iterator

from opgen.language.expr import Index, Name, names_in, walk
from opgen.language.shapes import Group, Term, parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG307", "bad-list", Stage.TYPES)


def check(op: OpContext) -> Findings:
    owner: dict[str, str | None] = {}
    for tensor in op.spec.tensors.values():
        length = tensor.list
        if length is not None and op.types.get(length) != "int":
            known = [n for n, t in op.types.items() if t == "int"]
            message = f"`list` names `{length}`, which no input gives"
            if length in op.types:
                message = f"`list` names `{length}`, which is no int"
            where = op.at((*tensor.path, "list"))
            yield RULE.at(where, message, did_you_mean(length, known))
        for below, text in tensor.texts:
            for term in parse_shape(text).terms:
                for size, each in _sizes(term):
                    if size in op.spec.attrs:
                        continue  # an attr has its length from the caller, not from a list
                    mine = length if each else None
                    if owner.setdefault(size, mine) == mine:
                        continue
                    where = op.in_shape((*tensor.path, *below), text, size)
                    yield RULE.at(where, *_words(size, owner[size], mine))


def _sizes(term: Term) -> Iterator[tuple[str, bool]]:
    """Yield (name, has an index) for each name in a term. In `s[i]`, `s` has an index."""
    if isinstance(term, Group):
        yield term.name, term.each
        return
    own = {
        e.value.id
        for e in walk(term.size)
        if isinstance(e, Index) and e.index == Name("i") and isinstance(e.value, Name)
    }
    yield from ((n, n in own) for n in names_in(term.size) if n != "i")


def _words(size: str, first: str | None, here: str | None) -> tuple[str, str]:
    if first is not None and here is not None:
        message = f"`{size}[i]` belongs to the lists of length `{first}`, not `{here}`"
        return message, "give the lists one length, or the sizes two names"
    each, one = f"`{size}[i]` is each element's own", f"`{size}` is one size for all"
    message = f"{one} here, but elsewhere {each}"
    if first is None:
        message = f"{each} here, but elsewhere {one}"
    return message, "write `[i]` everywhere, or use two names"
