"""Views of the calls: the structs that check arguments and fill descriptors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.expr import Expr, Name, text_of
from opgen.expr.cpp import CppPrinter, element_type, quoted
from opgen.ir import Attr, Op, Tensor
from opgen.signatures import base_type
from opgen.targets.cpp.binding import (
    BindingBody,
    bound_sizes,
    cased,
    printer_of,
    shape_text,
)
from opgen.targets.cpp.headers import comment, cpp_kernels
from opgen.targets.cpp.layout import aligned, doc, listing
from opgen.targets.cpp.names import cpp_name, struct
from opgen.targets.cpp.types import CALL_TYPES


@dataclass(frozen=True)
class SpecMethod:
    """A method of a call that gives the spec of a tensor to be made.

    `present` is when it is made; empty: always.
    """

    name: str
    body: str
    present: str


@dataclass(frozen=True)
class CallView:
    """The struct that checks a call."""

    doc: str
    name: str
    op: str
    members: tuple[str, ...]
    signature: str
    initializers: str
    sections: tuple[tuple[str, ...], ...]
    results: tuple[SpecMethod, ...]
    descriptor: str
    fills: tuple[str, ...]
    launches: tuple[tuple[str, str], ...]


def call(op: Op) -> CallView:
    """The checked call of an op."""
    printer = printer_of(op)
    made = (*op.written, *op.workspace)
    name = struct(op, "Call")
    return CallView(
        doc=doc(f"A call of `{op.name}`, checked: sizes, results, workspace, descriptor."),  # fmt: skip
        name=name,
        op=quoted(op.name),
        members=tuple(_members(op)),
        signature=listing(f"explicit {name}(", _parameters(op), ")", 2),
        initializers=listing("      : ", _initializers(op), " {"),
        sections=tuple(tuple(section) for section in BindingBody(op).sections()),
        results=tuple(_spec_method(op, t, printer) for t in made),
        descriptor=struct(op, "Descriptor"),
        fills=tuple(_fills(op, printer)),
        launches=tuple(_launches(op, printer)),
    )


def _members(op: Op) -> Iterator[str]:
    rows = []
    for t in op.inputs:
        kind = "ArgumentList" if t.list else "Argument"
        rows.append((f"opgen::{kind} {cpp_name(t.name)};", comment(t)))
    for attr in op.attrs:
        rows.append((f"{_call_type(attr)} {cpp_name(attr.name)};", attr.doc))
        if attr.type == "str" and attr.choices:
            rows.append((f"int64_t {cpp_name(attr.name)}_position;", "among its choices"))  # fmt: skip
    attrs = {attr.name for attr in op.attrs}
    for var in op.dtypes:
        if var.name not in attrs:
            value = "" if var.free else " or ".join(map(text_of, var.value.values()))
            rows.append((f"opgen::ElementType {cpp_name(var.name)};", value))
    derived = dict(op.dims)
    for name, kind in bound_sizes(op):
        text = text_of(derived[name]) if name in derived else ""
        rows.append((f"{kind} {cpp_name(name)};", text))
    if op.on_request:
        rows.append(("int64_t wanted;", "bit i: whether result i is asked for"))
    yield from aligned(rows)


def _call_type(attr: Attr) -> str:
    text = CALL_TYPES[base_type(attr)]
    return f"std::optional<{text}>" if attr.optional else text


def _parameter_type(attr: Attr) -> str:
    text = CALL_TYPES[base_type(attr)]
    may_lack = attr.optional or isinstance(attr.default, Expr)
    return f"std::optional<{text}>" if may_lack else text


def _parameters(op: Op) -> list[str]:
    kinds = ["BufferList" if t.list else "Buffer" for t in op.inputs]
    inputs = [
        f"const opgen::{kind}& {cpp_name(t.name)}_" for kind, t in zip(kinds, op.inputs)
    ]
    attrs = [f"{_parameter_type(a)} {cpp_name(a.name)}_" for a in op.attrs]
    return inputs + attrs + (["int64_t wanted_ = -1"] if op.on_request else [])


def _initializers(op: Op) -> list[str]:
    starts = []
    for t in op.inputs:
        shapes = " or ".join(str(s) for forms in t.forms.values() for s in forms)
        texts = ["op", quoted(t.name), quoted(shapes), f"{cpp_name(t.name)}_"]
        starts.append(f"{cpp_name(t.name)}({', '.join(texts)})")
    for attr in op.attrs:
        name = cpp_name(attr.name)
        late = isinstance(attr.default, Expr) and not attr.optional
        starts.append(f"{name}({name}_{'.value_or(0)' if late else ''})")
    if op.on_request:
        starts.append("wanted(wanted_)")
    return starts


def _spec_method(op: Op, tensor: Tensor, printer: CppPrinter) -> SpecMethod:
    dtype = cased(
        tensor.dtype, printer, lambda d: element_type(d) if d in DTYPES else cpp_name(d)
    )
    shape = cased(tensor.forms, printer, lambda forms: shape_text(forms[0], printer))
    present = "" if tensor.when is None else printer(tensor.when)
    if tensor.optional:
        present = f"(wanted >> {op.written.index(tensor)} & 1) != 0"
    body = f"return {{{dtype}, {shape}}};"
    return SpecMethod(cpp_name(tensor.name), body, present)


def _fills(op: Op, printer: CppPrinter) -> Iterator[str]:
    positions = {a.name for a in op.attrs if a.type == "str" and a.choices}
    for field in op.descriptor.fields:
        value = printer(field.value)
        if isinstance(field.value, Name) and field.value.id in positions:
            value = f"{cpp_name(field.value.id)}_position"
        name = cpp_name(field.name)
        yield listing("fill(", [f"desc.{name}", quoted(field.name), value], ");", 4)


def _launches(op: Op, printer: CppPrinter) -> Iterator[tuple[str, str]]:
    """(platform, `{grid}, {block}`) of the kernels that have a grid or a block."""
    for kernel in cpp_kernels(op):
        if kernel.grid or kernel.block:
            texts = [_extents(e, printer) for e in (kernel.grid, kernel.block)]
            yield kernel.platform, ", ".join(texts)


def _extents(extents: Iterable[Expr], printer: CppPrinter) -> str:
    texts = [printer(e) for e in extents]
    texts += ["1"] * (3 - len(texts))
    return "{" + ", ".join(texts) + "}"


def standard_headers(ops: Iterable[Op]) -> list[str]:
    """The headers of the standard library that the calls of `ops` use."""
    attrs = [attr for op in ops for attr in op.attrs]
    found = []
    if any(attr.optional or isinstance(attr.default, Expr) for attr in attrs):
        found.append("<optional>")
    if any(attr.type == "str" for attr in attrs):
        found.append("<string_view>")
    if any(kind.startswith("std::vector") for op in ops for _, kind in bound_sizes(op)):
        found.append("<vector>")
    return found
