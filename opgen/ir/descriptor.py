"""Compute the layout of a descriptor (a C struct of sizes and options) as a C compiler does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opgen.ir.nodes import Descriptor, Field
from opgen.language.expr import Call, Const, Expr, IfElse, Name, map_children, parse_expr
from opgen.language.scope import RESERVED, Scope
from opgen.language.shapes import Dim, Group, Shape, parse_shape
from opgen.source.frozen import dataclass
from opgen.spec.attr_types import FIELD_TYPES
from opgen.spec.models.attrs import AttrSpec
from opgen.spec.models.tensors import MEASURES, Form, TensorSpec

# A function that adds a field. It takes the name and value, and for types other than i64 also the
# type and count.
Add = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Plain:
    """A descriptor's field, before it gets an offset. `count` is the length if it is an array, else
    None.
    """

    name: str
    type: str
    value: Expr
    count: int | None = None


def describe(scope: Scope) -> Descriptor:
    """Return the descriptor of an op: the one that the spec lists, or else the default."""
    listed = scope.spec.descriptor.values()
    if not listed:
        return lay_out(default_fields(scope), explicit=False)
    plain = []
    for field in listed:
        if field.type is not None and field.value is not None:
            base, _, count = field.type.removesuffix("]").partition("[")
            value = parse_expr(field.value)
            plain.append(Plain(field.name, base, value, int(count) if count else None))
    return lay_out(plain, explicit=True)


def lay_out(plain: list[Plain], *, explicit: bool) -> Descriptor:
    """Return the descriptor with the offset that C alignment gives each field, in order.

    The size is a multiple of the alignment. A struct without fields has one byte in C++.
    """
    fields, offset, widest = [], 0, 1
    for item in plain:
        kind = FIELD_TYPES[item.type]
        offset = -(-offset // kind.align) * kind.align
        size = kind.size * (item.count or 1)
        fields.append(Field(item.name, item.type, item.value, offset, size, item.count))
        offset += size
        widest = max(widest, kind.align)
    size = -(-offset // widest) * widest
    return Descriptor(tuple(fields), max(size, 1), widest, explicit)


def default_fields(scope: Scope) -> list[Plain]:
    """Return the fields of the default descriptor, in order.

    First come the dims and groups by first appearance, then strides, the keys in `MEASURES`, attrs
    and dtype codes. A group has two fields: the product of its sizes, and its rank. Each field has
    64 bits. A str attr with choices is encoded as the index of the choice. A str attr without
    choices is omitted.
    """
    fields: dict[str, Plain] = {}

    def add(name: str, value: Expr, kind: str = "i64", count: int | None = None) -> None:
        fields.setdefault(name, Plain(name, kind, value, count))

    spec = scope.spec
    for tensor in spec.tensors.values():
        for _, text in tensor.texts:
            for name in _one_size(parse_shape(text)):
                _add_size(scope, name, add)
    for tensor in spec.inputs.values():
        free = (text.startswith("...") for text in tensor.layout.values())
        if tensor.list is None and any(free):  # each tensor of a list has separate strides
            _add_strides(tensor, add)
    for tensor in (*spec.outputs.values(), *spec.residuals.values()):
        for key in MEASURES:
            if (text := getattr(tensor, key)) is not None and tensor.list is None:
                add(f"{tensor.name}_{key}", parse_expr(text))
    of_each = {n for t in spec.tensors.values() for _, s in t.texts for n in parse_shape(s).each}
    for attr in spec.attrs.values():
        if attr.name not in of_each:  # each tensor of a list has a separate value
            _add_attr(attr, add)
    carried = {dtype for tensor in spec.tensors.values() for dtype in tensor.dtype.values()}
    for name in spec.dtypes:
        if name in carried:
            add(name, Name(name))
    return list(fields.values())


def _one_size(shape: Shape) -> list[str]:
    """Return the dims and groups of a shape, except those that differ between tensors of a list."""
    return [name for name in shape.names if name not in {*shape.each, *RESERVED}]


def _add_size(scope: Scope, name: str, add: Add) -> None:
    kind = scope.type_of(name)
    if kind == "ints" and name in scope.bound:
        add(name, Call("prod", (Name(name),)))
        add(f"{name}_rank", Call("len", (Name(name),)))
    elif kind == "int" and name not in scope.spec.attrs:
        add(name, Name(name))


def _add_strides(tensor: TensorSpec, add: Add) -> None:
    """Add a stride field for each dim whose index in the tensor's shape is known.

    The field is 0 if the tensor is absent, or if its shape in the call does not contain the dim.
    """
    name = tensor.name
    forms = [
        (_holds(name, condition, form), _places(form.text))
        for condition, those in tensor.forms.cases
        for form in those
    ]
    for label in dict.fromkeys(label for _, places in forms for label in places):
        *earlier, (_, last) = forms
        value = _stride(name, last.get(label))
        for test, places in reversed(earlier):
            stride = _stride(name, places.get(label))
            value = value if stride == value else IfElse(parse_expr(test), stride, value)
        if not tensor.always:
            value = IfElse(Call("present", (Name(name),)), value, Const(0))
        add(f"{name}_stride_{label}", value)


def _stride(name: str, place: int | None) -> Expr:
    return Const(0) if place is None else Call("stride", (Name(name), Const(place)))


def _holds(name: str, condition: str | None, form: Form) -> str:
    """Return, as text, the condition under which the tensor `name` has the shape `form`.

    The condition is only valid in calls to which no earlier case of the shape applies.
    """
    tests = [] if condition is None else [f"({condition})"]
    if isinstance(form.path[-1], int):
        terms = parse_shape(form.text).terms
        ranks = [f"len({t.name})" for t in terms if isinstance(t, Group)]
        ranks.append(str(len(terms) - len(ranks)))
        tests.append(f"rank({name}) == {' + '.join(ranks)}")
    return " and ".join(tests)


def _places(text: str) -> dict[str, int]:
    """Return the index of each dim in a shape. A dim after a group has a negative index, and a dim
    between groups has none.
    """
    terms = parse_shape(text).terms
    groups = [n for n, term in enumerate(terms) if isinstance(term, Group)]
    return {
        term.name or str(n): n - len(terms) if groups and n > groups[-1] else n
        for n, term in enumerate(terms)
        if isinstance(term, Dim) and not (groups and groups[0] < n < groups[-1])
    }


def _add_attr(attr: AttrSpec, add: Add) -> None:
    name, kind = attr.name, attr.kind
    if kind.several:
        add(name, Name(name), kind.field, _room(attr))
        add(f"{name}_rank", Call("len", (Name(name),)))
    elif kind.name != "str" or attr.choices is not None:
        add(name, Name(name), kind.field)


def _room(attr: AttrSpec) -> int:
    """Return the number of values that the descriptor field of a list attr can hold.

    The number is 8, or more if the attr's type, such as `int[10]`, or its default is longer.
    """
    length = attr.type.partition("[")[2].removesuffix("]")
    default = attr.default if isinstance(attr.default, list | tuple) else ()
    return max(8, int(length or 0), len(default))


def over_fields(expr: Expr, fields: Sequence[Field]) -> Expr:
    """Rewrite `expr` in terms of descriptor fields.

    Each part of `expr` that equals the value of a field is replaced by the field's name.
    """
    for field in fields:
        if field.value == expr and not field.count and not isinstance(expr, Const):
            return Name(field.name)
    return map_children(expr, lambda each: over_fields(each, fields))
