"""Memory layouts of tensors: those that kernels require of inputs, and those of results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.analysis import analysis
from opgen.language.expr import Binary, Bool, Call, Compare, Const, Expr, Name, Unary
from opgen.language.shapes import Group, Shape
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases, fixed

# Layouts that list no order of dims. For all except the first, the caller chooses the strides. A
# spec writes `"... d"` for `last`, where `d` is the last dim, and `"..."` for `strided`.
FREE = ("contiguous", "last", "dense", "strided")
CHOSEN = FREE[1:]

# The text in a layout that stands for dims whose strides the caller chooses.
OPEN = "..."


@dataclass(frozen=True, slots=True)
class Order:
    """The memory order of a shape: indices of its terms, from the slowest-varying to the fastest.

    A term is a dim, or a group of any number of dims. If the shape has one group, `group` is its
    index. If the shape has several groups, `groups` has an item for each term: the group, or None
    for a dim. The caller chooses the strides of the first `open` terms.
    """

    terms: tuple[int, ...]
    group: int | None = None
    open: int = 0
    groups: tuple[Group | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Like:
    """The same memory order as the input `name`. The caller chooses the strides of that input."""

    name: str


Layout = str | Order | Like  # one of `FREE`, or an order


def layouts(op: Op, tensor: Tensor) -> Cases[Layout]:
    """Return a tensor's layouts in memory, each with the condition under which it applies."""
    known = _known(op)
    held = known.get(tensor.name)
    if held is None or held[0] is not tensor:
        held = known[tensor.name] = (tensor, _found(op, tensor))
    return held[1]


@analysis
def _known(op: Op) -> dict[str, tuple[Tensor, Cases[Layout]]]:
    """Return the cache of the layouts of an op's tensors, by tensor name. It is empty at first."""
    return {}


def _found(op: Op, tensor: Tensor) -> Cases[Layout]:
    found = tuple(_layouts(op, tensor))
    return fixed(found[0][1]) if len({value for _, value in found}) == 1 else Cases(found)


def is_ordered(op: Op, tensor: Tensor) -> bool:
    """Return whether the spec requires an order of dims for the tensor, in at least some calls."""
    return any(not isinstance(layout, str) for layout in layouts(op, tensor).values())


def arranged(op: Op, tensor: Tensor) -> bool:
    """Return whether an input's layout, or whether the op writes the input, depends on the call."""
    if tensor.table != "inputs":
        return False
    found = layouts(op, tensor)
    if len(found.cases) > 1 or isinstance(tensor.update, Cases):
        return True
    return isinstance(found.only, Order) and bool(found.only.groups)


def written_where(update: Cases[bool]) -> Expr:
    """Return the condition under which an input is written. The value of `update` must differ
    between calls.
    """
    rest, value = update.cases[-1]
    named = [c for c, v in update.cases if c is not None and v != (value and rest is None)]
    found = named[0] if len(named) == 1 else Bool("or", tuple(named))
    return Unary("not", found) if value and rest is None else found


def _layouts(op: Op, tensor: Tensor) -> Iterator[tuple[Expr | None, Layout]]:
    for condition, text in tensor.layout.cases:
        for test, found in _of(op, tensor, text):
            yield _both(condition, test), found


def _of(op: Op, tensor: Tensor, text: str) -> Iterator[tuple[Expr | None, Layout]]:
    """Yield the layouts that `text`, a `layout` value of the spec, describes, each with its
    condition.
    """
    match text.split():
        case ["like", name]:
            for condition, layout in layouts(op, op.tensor(name)).cases:
                yield condition, Like(name) if layout in CHOSEN else layout
        case [_] if text in FREE:
            yield None, text
        case _:
            for condition, forms in tensor.forms.cases:
                for form in forms:
                    test = _has_form(tensor, form) if len(forms) > 1 else None
                    yield _both(condition, test), order_of(form, text)


def _both(*conditions: Expr | None) -> Expr | None:
    found = tuple(each for each in conditions if each is not None)
    return Bool("and", found) if len(found) > 1 else next(iter(found), None)


def _has_form(tensor: Tensor, form: Shape) -> Expr:
    """Return the condition that a tensor has the same rank as `form`."""
    rank: Expr = Const(len(form.terms) - len(form.groups))
    for group in form.groups:
        rank = Binary("+", rank, Call("len", (Name(group.name),)))
    return Compare(("==",), (Call("rank", (Name(tensor.name),)), rank))


def canonical(layout: str, shapes: Iterable[Shape]) -> str:
    """Return the short name of a layout, such as `strided`, or `layout` itself if it has no short
    name.
    """
    words = layout.split()
    if words == [OPEN]:
        return "strided"
    lasts = {str(shape.terms[-1]) for shape in shapes if shape.terms}
    grouped = any(isinstance(shape.terms[-1], Group) for shape in shapes if shape.terms)
    return "last" if {*words[1:]} == lasts and words[0] == OPEN and not grouped else layout


def order_of(shape: Shape, layout: str) -> Layout:
    """Return the layout that a list of dim names, from the slowest-varying to the fastest,
    describes.
    """
    places = {str(t).removeprefix("*"): n for n, t in enumerate(shape.terms)}
    words = [word.removeprefix("*") for word in layout.split()]
    named = [places[word] for word in words if word in places]
    free = [n for n in places.values() if n not in named]
    if not named:
        return "strided"
    if not free and named == sorted(named):
        return "contiguous"
    groups = tuple(term if isinstance(term, Group) else None for term in shape.terms)
    several = groups if len(shape.groups) > 1 else ()
    group = next((n for n, each in enumerate(groups) if each), None)
    return Order((*free, *named), None if several else group, len(free), several)
