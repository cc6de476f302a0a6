"""A `layout` does not fit the tensor's shape.

This rule checks that a layout is `contiguous`, `dense`, or all dim names of the shape in memory
order. An input may also have the layout `...` followed by the dims that come last in memory. Or it
may be `like x`, where `x` is an input of the same shape. If an input is `like x`, `x` must be an
earlier input, be present in every call, and be `dense`. If an output is `like x`, the layout of `x`
must determine the memory order of all dims of the output.

Why: Python and C++ compute strides from the layout.

Example:

    inputs.q = { dtype = "T", shape = "b t d", layout = "t b" }

How to fix: name every dim once: `"t b d"`. Or write `"... d"`, which allows any strides for the
other dims.
"""

from opgen.ir.layouts import OPEN
from opgen.language.shapes import parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG308", "bad-layout", Stage.TYPES)

WORDS = ("contiguous", "dense")


def check(op: OpContext) -> Findings:
    for tensor in op.spec.tensors.values():
        problems = [(key, _problem(op, tensor, text)) for key, text in tensor.layout.placed()]
        for key, found in problems:
            if found:
                yield RULE.at(op.at((*tensor.path, "layout", *key)), *found)


def _problem(op: OpContext, tensor: TensorSpec, text: str) -> tuple[str, str] | None:
    words = text.split()
    if words[:1] == ["like"]:
        return _like(op, tensor, " ".join(words[1:]))
    if text in WORDS:
        return None
    return _order(tensor, [form.text for form in tensor.texts], words)


def _order(tensor: TensorSpec, shapes: list[str], words: list[str]) -> tuple[str, str] | None:
    """Check the memory order `words`. Return the mistake and its fix, or None.

    The order must name each dim of every shape in `shapes`, but a shape may lack dims of the order.
    """
    text, is_open = " ".join(words), words[:1] == [OPEN]
    named = [w.removeprefix("*") for w in words[is_open:]]
    known = [_names(shape) for shape in shapes]
    strange = [n for n in named if all(n not in names for names in known)]
    if len(words) == 1 and strange:
        return f"unknown layout `{text}`", did_you_mean(text, [*WORDS, "like"])
    for shape, names in zip(shapes, known):
        lacking = [] if is_open else [n for n in names if n not in named]
        if strange or lacking or len({*named}) < len(named) or len({*names}) < len(names):
            message = f"`{text}` is no order of the dims of `{shape}`"
            return message, "name each dim once, slowest first"
    if is_open and tensor.table != "inputs":
        return f"`{OPEN}` leaves strides to the caller, who gives inputs only", "name every dim"
    return None


def _names(shape: str) -> list[str]:
    return [str(term).removeprefix("*") for term in parse_shape(shape).terms]


def _like(op: OpContext, tensor: TensorSpec, name: str) -> tuple[str, str] | None:
    inputs = op.spec.inputs
    if tensor.table not in ("inputs", "outputs"):
        return (
            "only an input or an output is laid out `like` an input",
            "name its dims in memory order",
        )
    if name not in inputs:
        message = f"`like` names `{name}`, which is no input"
        return message, did_you_mean(name, inputs)
    other = inputs[name]
    if [f.text for f in other.texts] != [f.text for f in tensor.texts]:
        return f"`{name}` has another shape", "`like` needs an input of the same shape"
    if tensor.table == "inputs":
        return _like_dense(op, tensor, other)
    half = [text for text in other.layout.values() if text.startswith(f"{OPEN} ")]
    if half:
        return f"`{name}` is `{half[0]}`", f'`{name}.layout = "{OPEN}"`, or name each dim'
    if other.list != tensor.list:
        return f"`{name}` is no list of the same length", "`like` needs one"
    return None


def _like_dense(op: OpContext, tensor: TensorSpec, other: TensorSpec) -> tuple[str, str] | None:
    """Check an input with the layout `like other`. Return the mistake and its fix, or None."""
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
