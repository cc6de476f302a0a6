"""The order of a tensor's dims in memory, where its layout fixes one that is not row-major."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.nodes import Op, Tensor
from opgen.language.expr import Bool, Expr, Unary
from opgen.language.shapes import Group, Shape, parse_shape
from opgen.spec.cases import Cases
from opgen.spec.op import OpSpec, TensorSpec

# Layouts that leave the strides to the caller, or ask for nothing but row-major.
FREE = ("contiguous", "last", "dense", "strided")

# Of these, those of which a caller has the choice.
CHOSEN = ("last", "dense", "strided")


@dataclass(frozen=True, slots=True)
class Order:
    """Terms from the slowest to the fastest, by their places in the shape.

    The term `group`, if there is one, stands for any number of dims.
    """

    terms: tuple[int, ...]
    group: int | None = None


def orders(op: Op, tensor: Tensor) -> Cases[Order | None]:
    """The order of a tensor by case; None where it is row-major, or up to the caller."""
    return tensor.layout.map(lambda layout: _order(op, tensor, layout))


def input_order(op: Op, tensor: Tensor) -> Order | None:
    """The order of an input's dims, which no case changes."""
    return orders(op, tensor).alone


def arranged(tensor: Tensor) -> bool:
    """Whether the call decides how an input's memory must lie, or whether it is written."""
    if tensor.role != "input":
        return False
    return len(tensor.layout.cases) > 1 or isinstance(tensor.update, Cases)


def written_where(update: Cases[bool]) -> Expr:
    """The condition under which an input is written that only some calls write."""
    rest, value = update.cases[-1]
    named = [c for c, v in update.cases if c is not None and v != (value and rest is None)]
    found = named[0] if len(named) == 1 else Bool("or", tuple(named))
    return Unary("not", found) if value and rest is None else found


def is_ordered(op: Op, tensor: Tensor) -> bool:
    """Whether some call lays it out in another order than row-major."""
    return any(orders(op, tensor).values())


def _order(op: Op, tensor: Tensor, layout: str) -> Order | None:
    if layout in FREE:
        return None
    liked = _liked(layout)
    if liked:
        other = op.tensor(liked)
        return _order(op, other, other.layout.only)
    return order_of(next(tensor.forms.values())[0], layout)


def _liked(layout: str) -> str | None:
    """The input that an output is laid out like."""
    match layout.split():
        case ["like", name]:
            return name
    return None


def order_of(shape: Shape, layout: str) -> Order | None:
    """The order that `columns`, or names from the slowest dim to the fastest, give a shape."""
    if layout == "columns":
        if shape.groups:
            return Order((0, 2, 1), 0)  # whatever leads, and the last two dims
        count = len(shape.terms)
        return Order((*range(count - 2), count - 1, count - 2))
    places = {str(t).removeprefix("*"): n for n, t in enumerate(shape.terms)}
    terms = tuple(places[word.removeprefix("*")] for word in layout.split())
    group = next((n for n, t in enumerate(shape.terms) if isinstance(t, Group)), None)
    return None if terms == tuple(range(len(terms))) else Order(terms, group)


def unrendered(op: OpSpec, tensor: TensorSpec) -> str | None:
    """What of a tensor's layout no target renders yet, in words."""
    texts = list(tensor.layout.values())
    if tensor.layout.alone in FREE:
        return None
    is_input = tensor.role == "inputs"
    if is_input and _liked(tensor.layout.alone or ""):
        return None  # `dense`, lint has seen to that
    if tensor.list is not None:
        return "a layout for the tensors of a list"
    if is_input and any(map(_liked, texts)):
        return "an input that is laid out like another in some cases"
    if not is_input and any(text in CHOSEN for text in texts):
        return None
    shapes = [parse_shape(text) for _, text in tensor.forms]
    for text in texts:
        liked = _liked(text)
        other = op.inputs.get(liked or "")
        if other is not None:
            of = other.layout.alone or ""
            if of in CHOSEN or _liked(of):
                return "a layout like that of a tensor whose caller chooses it"
            found = unrendered(op, other)
            if found:
                return found
        elif not liked and text not in (*FREE, "columns"):
            if len(shapes) > 1 or sum(len(s.groups) for s in shapes) > 1:
                return "an order of dims for several shapes or groups"
    return None
