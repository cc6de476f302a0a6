"""A `layout` that the tensor's shape does not have.

What it does: a layout is `contiguous`, `last` (needs a dim), `columns` (needs two),
`dense`, `strided`, all dim names of the shape in memory order, or `like x` with an input of
the same shape. Where an input is laid out `like x`, `x` comes before it, is in every call,
and is `dense`.

Why: strides are computed from it, in Python and in C++.

Example:

    inputs.q = { dtype = "T", shape = "b t d", layout = "t b" }

How to fix: name every dim once: `"t b d"`.
"""

from collections.abc import Iterator, Mapping

from opgen.language.scope import Table, cases_of, shapes_of
from opgen.language.shapes import Group, parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean

RULE = Rule("OG308", "bad-layout", Stage.TYPES)

NEEDS = {"contiguous": 0, "dense": 0, "strided": 0, "last": 1, "columns": 2}


def check(op: OpContext) -> Iterator[Diagnostic]:
    for table, name, entry in op.scope.entries():
        layout = entry.get("layout", "contiguous")
        for condition, text in cases_of(layout):
            key = (condition or "else",) if isinstance(layout, Mapping) else ()
            found = _problem(op, table, entry, text)
            if found:
                yield RULE.at(op.at((table, name, "layout", *key)), *found)


def _problem(op: OpContext, table: str, entry: Mapping, text: str) -> tuple[str, str] | None:  # fmt: skip
    shapes = [shape for _, shape in shapes_of(entry)]
    words = text.split()
    if words[:1] == ["like"]:
        return _like(op, table, entry, shapes, words[1:])
    if text in NEEDS:
        for shape in shapes:
            terms = parse_shape(shape).terms
            dims = sum(not isinstance(t, Group) for t in terms)
            if dims < NEEDS[text] and not len(terms) > dims:
                message = (
                    f"`{text}` needs {NEEDS[text]} dim(s), and the shape is `{shape}`"
                )
                return message, "`contiguous` is the default"
        return None
    for shape in shapes:
        names = [str(t).removeprefix("*") for t in parse_shape(shape).terms]
        if sorted(names) != sorted(w.removeprefix("*") for w in words):
            if len(words) == 1:
                return f"unknown layout `{text}`", did_you_mean(text, [*NEEDS, "like"])
            message = f"`{text}` is no order of the dims of `{shape}`"
            return message, "name each dim once, slowest first"
    return None


def _like(op: OpContext, table: str, entry: Table, shapes: list[str], words: list[str]) -> tuple[str, str] | None:  # fmt: skip
    inputs = op.scope.section("inputs")
    if table not in ("inputs", "outputs"):
        return (
            "only an input or an output is laid out `like` an input",
            "name its dims in memory order",
        )
    name = " ".join(words)
    if name not in inputs:
        message = f"`like` names `{name}`, which is no input"
        return message, did_you_mean(name, inputs)
    other = inputs[name]
    if [shape for _, shape in shapes_of(other)] != shapes:
        return f"`{name}` has another shape", "`like` needs an input of the same shape"
    return _like_dense(inputs, entry, name) if table == "inputs" else None


def _like_dense(inputs: Table, entry: Table, name: str) -> tuple[str, str] | None:
    """What is wrong with an input that is laid out like another."""
    other = inputs[name]
    if other.get("layout") != "dense":
        return f"`{name}` is not `dense`", f'`{name}.layout = "dense"`'
    first = next(n for n, each in inputs.items() if n == name or each is entry)
    if first != name:
        return f"`{name}` comes later", f"put `{name}` before it"
    if other.get("optional") or "when" in other:
        return f"`{name}` is not there in every call", "name an input that is"
    if other.get("list") != entry.get("list"):
        return f"`{name}` is no list of the same length", "`like` needs one"
    return None
