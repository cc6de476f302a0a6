"""Views of opaque calls: XLA's old signature, for kernels that read sizes from the descriptor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.ir.abi import entry_symbol
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Name, names_in
from opgen.language.expr.cpp import element_type, quoted
from opgen.targets.cpp.cpp_format import doc, listing
from opgen.targets.cpp.names import PLATFORMS, cpp_name, member, struct
from opgen.targets.cpp.printing import cased, printer_of


@dataclass(frozen=True)
class OpaqueView:
    """One function. `dtypes` are the statements that read and derive them."""

    doc: str
    symbol: str
    label: str
    descriptor: str
    dtypes: tuple[str, ...]
    args: str
    entry: str


@dataclass(frozen=True)
class OpaquePlatformView:
    """The functions of one platform."""

    macro: str
    calls: tuple[OpaqueView, ...]


def ops(family: Family) -> tuple[Op, ...]:
    """Return the ops whose spec asks for opaque calls."""
    return tuple(op for op in family.ops if op.options["jax"]["opaque"])


def platforms(project: Project, family: Family) -> list[OpaquePlatformView]:
    """Return the functions of the family, by platform."""
    found = []
    for platform in PLATFORMS.values():
        kernels = [(op, op.kernel(platform.name)) for op in ops(family)]
        calls = tuple(_view(project, op, kernel) for op, kernel in kernels if kernel)
        if calls:
            found.append(OpaquePlatformView(platform.macro, calls))
    return found


def _view(project: Project, op: Op, kernel: Kernel) -> OpaqueView:
    entry = entry_symbol(project.namespace, op, kernel.platform)
    order = [t.name for t in (*op.inputs, *op.written, *op.workspace)]
    buffers = [
        f"opgen::opaque::buffer(buffers[{order.index(t.name)}], {_dtype(t.dtype.only)})"
        for t in op.tensors
    ]
    head = f"const {struct(op, 'Args')} args{{"
    text = f"`{op.name}` on {kernel.platform}; buffers: {', '.join(order)}."
    return OpaqueView(
        doc=doc(text),
        symbol=f"{entry}_opaque",
        label=quoted(op.name),
        descriptor=struct(op, "Descriptor"),
        dtypes=tuple(_dtypes(op)),
        args=listing(head, ["&desc", "&ctx", *buffers], "};"),
        entry=entry,
    )


def _dtype(name: str) -> str:
    return element_type(name) if name in DTYPES else member(name)


def _dtypes(op: Op) -> Iterator[str]:
    """Yield the dtypes of tensors, from the descriptor or derived."""
    held = {f.value.id: f for f in op.descriptor.fields if isinstance(f.value, Name)}
    values = {var.name: var.value for var in op.dtypes}
    printer = printer_of(op)
    known = set(DTYPES)

    def learn(name: str) -> Iterator[str]:
        if name in known:
            return
        known.add(name)
        head = f"const opgen::ElementType {member(name)}"
        if name in held:
            field = f"desc.{cpp_name(held[name].name)}"
            label = quoted(held[name].name)
            yield f"{head} = opgen::opaque::dtype(op, {label}, {field});"
            return
        value = values[name]
        for _, expr in value.cases:
            for other in names_in(expr):
                yield from learn(other)
        yield f"{head} = {cased(value, printer, printer)};"

    for tensor in op.tensors:
        yield from learn(tensor.dtype.only)
