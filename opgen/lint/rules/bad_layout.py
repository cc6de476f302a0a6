"""A `layout` that the tensor's shape does not have.

What it does: a layout is `contiguous`, `last` (needs a dim), `columns` (needs two),
`strided`, all dim names of the shape in memory order, or, for an output, `like x` with an
input of the same shape.

Why: strides are computed from it, in Python and in C++.

Example:

    inputs.q = { dtype = "T", shape = "b t d", layout = "t b" }

How to fix: name every dim once: `"t b d"`.
"""

from collections.abc import Iterator, Mapping

from opgen.diagnostics import Diagnostic, did_you_mean
from opgen.lint.rule import Rule, Stage
from opgen.lint.subject import Subject
from opgen.scope import cases_of, shapes_of
from opgen.shapes import Group, parse_shape

RULE = Rule("OG308", "bad-layout", Stage.TYPES)

NEEDS = {"contiguous": 0, "strided": 0, "last": 1, "columns": 2}


def check(op: Subject) -> Iterator[Diagnostic]:
    for table, name, entry in op.scope.entries():
        layout = entry.get("layout", "contiguous")
        for condition, text in cases_of(layout):
            key = (condition or "else",) if isinstance(layout, Mapping) else ()
            found = _problem(op, table, entry, text)
            if found:
                yield RULE.at(op.at((table, name, "layout", *key)), *found)


def _problem(op: Subject, table: str, entry: Mapping, text: str) -> tuple[str, str] | None:  # fmt: skip
    shapes = [shape for _, shape in shapes_of(entry)]
    words = text.split()
    if words[:1] == ["like"]:
        return _like(op, table, shapes, words[1:])
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


def _like(op: Subject, table: str, shapes: list[str], words: list[str]) -> tuple[str, str] | None:  # fmt: skip
    inputs = op.scope.section("inputs")
    if table != "outputs":
        return (
            "only an output is laid out `like` an input",
            "name its dims in memory order",
        )
    if len(words) != 1 or words[0] not in inputs:
        name = " ".join(words)
        message = f"`like` names `{name}`, which is no input"
        return message, did_you_mean(name, inputs)
    if [shape for _, shape in shapes_of(inputs[words[0]])] != shapes:
        return (
            f"`{words[0]}` has another shape",
            "`like` needs an input of the same shape",
        )
    return None
