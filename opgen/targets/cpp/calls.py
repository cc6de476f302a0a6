"""Prepare the checked calls. A checked call is a struct that checks the arguments of a call and
writes its descriptor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from opgen.ir.layouts import FREE, Layout, arranged, is_ordered, layouts, written_where
from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.expr import Call, Expr, Name, text_of
from opgen.language.expr.cpp import CppPrinter, quoted
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.spec.models.tensors import MEMORY
from opgen.targets.cpp.binding import BindingBody, bound_sizes
from opgen.targets.cpp.cpp_format import aligned, doc, listing
from opgen.targets.cpp.headers import comment, cpp_kernels
from opgen.targets.cpp.kernel_methods import (
    DEVICE_PARAMETER,
    MethodView,
    asks_device,
    methods,
)
from opgen.targets.cpp.names import cpp_name, given, member, struct
from opgen.targets.cpp.printing import cased, layout_order, printer_of, shape_text


@dataclass(frozen=True)
class SpecMethod:
    """A method of a checked call that returns the dtype and shape of one tensor.

    The adapter creates this tensor if the condition `present` holds, or always if `present` is
    empty. `parameters` may include the device, or the index of a tensor in a list. `init` is the
    statement that returns the tensor's initial value.
    """

    name: str
    kind: str
    body: tuple[str, ...]
    present: str
    parameters: str
    init: str


@dataclass(frozen=True)
class CallView:
    """The template data for the struct of a checked call."""

    # The struct: its documentation and name, and the op's name in messages.
    doc: str
    name: str
    op: str
    # The declarations of its members.
    members: tuple[str, ...]
    # Its constructor: the parameters, the initializers, and the steps of its body.
    signature: str
    initializers: str
    sections: tuple[tuple[str, ...], ...]
    # The methods that describe results.
    results: tuple[SpecMethod, ...]
    # The descriptor struct, and the statements that fill it.
    descriptor: str
    fills: tuple[str, ...]
    # The methods about kernels.
    methods: tuple[MethodView, ...]
    # The methods about inputs: each with its head and the value that it returns.
    choices: tuple[tuple[str, str], ...]


def call(op: Op) -> CallView:
    """Return the template data for the struct of an op's checked call."""
    printer = printer_of(op)
    made = (*op.written, *op.workspace)
    name = struct(op, "Call")
    return CallView(
        doc=doc(f"A call of `{op.name}`, checked: sizes, results, workspace, descriptor."),
        name=name,
        op=quoted(op.name),
        members=tuple(_members(op)),
        signature=listing(f"explicit {name}(", _parameters(op), ")"),
        initializers=listing("      : ", _initializers(op), " {"),
        sections=tuple(tuple(section) for section in BindingBody(op).sections()),
        results=tuple(_spec_method(op, t, printer) for t in made),
        descriptor=struct(op, "Descriptor"),
        fills=tuple(_fills(op, printer)),
        methods=tuple(methods(op, printer)),
        choices=tuple(_choices(op, printer)),
    )


def _members(op: Op) -> Iterator[str]:
    rows = []
    for t in op.inputs:
        kind = "ArgumentList" if t.list else "Argument"
        rows.append((f"opgen::{kind} {member(t.name)};", comment(t)))
    for attr in op.attrs:
        rows.append((f"{_call_type(attr)} {member(attr.name)};", attr.doc))
        if attr.type == "str" and attr.choices:
            rows.append((f"int64_t {member(attr.name)}position;", "among its choices"))
    attrs = {attr.name for attr in op.attrs}
    for var in op.dtypes:
        if var.name not in attrs:
            value = "" if var.free else " or ".join(map(text_of, var.value.values()))
            rows.append((f"opgen::ElementType {member(var.name)};", value))
    derived = dict(op.dims)
    for name, kind in bound_sizes(op):
        text = text_of(derived[name]) if name in derived else ""
        rows.append((f"{kind} {member(name)};", text))
    if op.on_request:
        rows.append(("int64_t wanted;", "bit i: whether result i is asked for"))
    yield from aligned(rows)


def _call_type(attr: Attr) -> str:
    text = attr.kind.call
    return f"std::optional<{text}>" if attr.optional else text


def _parameter_type(attr: Attr) -> str:
    text = attr.kind.call
    return f"std::optional<{text}>" if attr.nullable else text


def _parameters(op: Op) -> list[str]:
    kinds = ["BufferList" if t.list else "Buffer" for t in op.inputs]
    inputs = [f"const opgen::{kind}& {given(t.name)}" for kind, t in zip(kinds, op.inputs)]
    attrs = [f"{_parameter_type(a)} {given(a.name)}" for a in op.attrs]
    return inputs + attrs + (["int64_t asked = -1"] if op.on_request else [])


def _initializers(op: Op) -> list[str]:
    starts = []
    for t in op.inputs:
        shapes = " or ".join(map(str, t.shapes))
        texts = ["op", quoted(t.name), quoted(shapes), f"{given(t.name)}"]
        starts.append(f"{member(t.name)}({', '.join(texts)})")
    for attr in op.attrs:
        name = member(attr.name)
        late = isinstance(attr.default, Expr) and not attr.optional
        starts.append(f"{name}({given(attr.name)}{'.value_or(0)' if late else ''})")
    if op.on_request:
        starts.append("wanted(asked)")
    return starts


def _spec_method(op: Op, tensor: Tensor, printer: CppPrinter) -> SpecMethod:
    dtype = cased(tensor.dtype, printer, lambda d: printer(Name(d)))
    shape = cased(tensor.forms, printer, lambda forms: shape_text(forms[0], printer))
    present = "" if tensor.when is None else printer(tensor.when)
    if tensor.optional:
        present = f"(wanted >> {op.written.index(tensor)} & 1) != 0"
    memory = [getattr(tensor, name) for name in MEMORY]
    while memory and memory[-1] is None:  # by default, as in `TensorSpec`
        memory.pop()
    order = ""
    if is_ordered(op, tensor) or memory:
        order = f", {cased(layouts(op, tensor), printer, partial(layout_order, tensor))}"
    for value in memory:
        order += f", {printer(value) if isinstance(value, Expr) else value or 0}"
    kind = "opgen::TensorSpec"
    body: tuple[str, ...] = (f"return {{{dtype}, {shape}{order}}};",)
    if tensor.list:
        kind = f"std::vector<{kind}>"
        count = member(tensor.list)
        body = (
            f"{kind} specs;",
            f"for (int64_t i = 0; i < {count}.value(); ++i) specs.push_back({{{dtype}, {shape}{order}}});",
            "return specs;",
        )
    parameters = DEVICE_PARAMETER if asks_device(*tensor.shapes) else ""
    init = ""
    if tensor.init is not None:
        items = ["op", quoted(tensor.name), dtype, printer(tensor.init)]
        init = listing("return opgen::element(", items, ");")
    return SpecMethod(member(tensor.name), kind, body, present, parameters, init)


def _fills(op: Op, printer: CppPrinter) -> Iterator[str]:
    positions = {a.name for a in op.attrs if a.type == "str" and a.choices}
    for field in op.descriptor.fields:
        value = printer(field.value)
        if isinstance(field.value, Name) and field.value.id in positions:
            value = f"{member(field.value.id)}position"
        name = cpp_name(field.name)
        fill = listing("fill(", [f"desc.{name}", quoted(field.name), value], ");")
        test = "" if op.descriptor.explicit else _bound(op, field.value, printer)
        yield f"if ({test}) {fill}" if test else fill


def _bound(op: Op, value: Expr, printer: CppPrinter) -> str:
    """Return the C++ condition under which a descriptor field is set, or "" if it is always set. A
    field that is not set is 0.
    """
    match value:
        case (Name(id=id) as name) | Call("len", (Name(id=id) as name,)) if any(
            a.name == id and a.optional for a in op.attrs
        ):
            return printer(Call("present", (name,)))
        case Call("prod", (Name(id=id),)) if id in op.plan.unsure:
            if all(attr.name != id for attr in op.attrs):
                return f"{member(id)}.bound()"
    return ""


def _choices(op: Op, printer: CppPrinter) -> Iterator[tuple[str, str]]:
    """Yield the methods of a checked call that describe inputs, each with its return value.

    The value is the memory order that an input needs in this call, or whether the kernel writes the
    input.
    """
    for tensor in filter(partial(arranged, op), op.inputs):
        name = member(tensor.name)
        wish = cased(layouts(op, tensor), printer, partial(_wish, tensor))
        index = "int64_t i" if re.search(r"\bi\b", wish) else "int64_t" if tensor.list else ""
        yield f"opgen::Wish {name}layout({index}) const", wish
        update = tensor.update
        written = "true" if update else "false"
        if isinstance(update, Cases):
            written = printer(written_where(update))
        yield f"bool {name}written() const", written


def _wish(tensor: Tensor, layout: Layout) -> str:
    text = f"opgen::Layout::{layout}" if layout in FREE else layout_order(tensor, layout)
    return f"opgen::Wish({text})"


def standard_headers(ops: Sequence[Op]) -> list[str]:
    """Return the standard headers that the checked calls of `ops` use, sorted."""
    attrs = [attr for op in ops for attr in op.attrs]
    found = []
    if any(op.listed or kernel.demanding for op in ops for kernel in cpp_kernels(op)):
        found.append("<string>")
    if any(attr.nullable for attr in attrs):
        found.append("<optional>")
    if any(attr.type == "str" for attr in attrs):
        found.append("<string_view>")
    kinds = {kind for op in ops for _, kind in bound_sizes(op)}
    if any(k.startswith("std::vector") for k in kinds) or any(
        t.list for op in ops for t in op.written
    ):
        found.append("<vector>")
    return sorted(found)
