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

from collections.abc import Iterator

from opgen.language.shapes import Group, parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean
from opgen.spec.op import TensorSpec

RULE = Rule("OG308", "bad-layout", Stage.TYPES)

NEEDS = {"contiguous": 0, "dense": 0, "strided": 0, "last": 1, "columns": 2}


def check(op: OpContext) -> Iterator[Diagnostic]:
    for tensor in op.spec.tensors.values():
        for key, text in tensor.layout.placed():
            found = _problem(op, tensor, text)
            if found:
                yield RULE.at(op.at((*tensor.path, "layout", *key)), *found)


def _problem(op: OpContext, tensor: TensorSpec, text: str) -> tuple[str, str] | None:
    shapes = [form.text for form in tensor.forms]
    words = text.split()
    if words[:1] == ["like"]:
        return _like(op, tensor, " ".join(words[1:]))
    if text in NEEDS:
        for shape in shapes:
            terms = parse_shape(shape).terms
            dims = sum(not isinstance(t, Group) for t in terms)
            if dims < NEEDS[text] and not len(terms) > dims:
                message = f"`{text}` needs {NEEDS[text]} dim(s), and the shape is `{shape}`"
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


def _like(op: OpContext, tensor: TensorSpec, name: str) -> tuple[str, str] | None:
    inputs = op.spec.inputs
    if tensor.role not in ("inputs", "outputs"):
        return (
            "only an input or an output is laid out `like` an input",
            "name its dims in memory order",
        )
    if name not in inputs:
        message = f"`like` names `{name}`, which is no input"
        return message, did_you_mean(name, inputs)
    other = inputs[name]
    if [f.text for f in other.forms] != [f.text for f in tensor.forms]:
        return f"`{name}` has another shape", "`like` needs an input of the same shape"
    return _like_dense(op, tensor, other) if tensor.role == "inputs" else None


def _like_dense(op: OpContext, tensor: TensorSpec, other: TensorSpec) -> tuple[str, str] | None:
    """What is wrong with an input that is laid out like another."""
    name = other.name
    if other.layout.alone != "dense":
        return f"`{name}` is not `dense`", f'`{name}.layout = "dense"`'
    if next(n for n in op.spec.inputs if n in (name, tensor.name)) != name:
        return f"`{name}` comes later", f"put `{name}` before it"
    if not other.always:
        return f"`{name}` is not there in every call", "name an input that is"
    if other.list != tensor.list:
        return f"`{name}` is no list of the same length", "`like` needs one"
    return None
