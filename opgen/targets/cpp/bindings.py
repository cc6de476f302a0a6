"""Views of the pybind11 module: descriptors and registrations, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opgen.ir.abi import entry_symbol, ffi_target
from opgen.ir.nodes import Field
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr.cpp import quoted
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.headers import cpp_kernels
from opgen.targets.cpp.names import PLATFORMS, cpp_name, member, struct


@dataclass(frozen=True)
class PackerView:
    """The function that packs the descriptor of an op."""

    name: str
    signature: str
    descriptor: str
    label: str
    fills: tuple[str, ...]
    arguments: str


@dataclass(frozen=True)
class RegistrationView:
    """One handler in the registrations: what declares it, and its row."""

    macro: str
    declaration: str
    row: str


def packer(project: Project, op: Op) -> PackerView:
    """`create_<op>_descriptor`, whose arguments are the fields."""
    fields = op.descriptor.fields
    parameters = [f"{_type(field)} {member(field.name)}" for field in fields]
    arguments = [f"pybind11::arg({quoted(field.name)})" for field in fields]
    arguments.append(quoted(f"The packed descriptor of {op.name}."))
    return PackerView(
        name=op.name,
        signature=listing("[](", parameters, ") {"),
        descriptor=f"{project.namespace}::{struct(op, 'Descriptor')}",
        label=quoted(op.name),
        fills=tuple(_fill(field) for field in fields),
        arguments=listing("", arguments, ");"),
    )


def _type(field: Field) -> str:
    text = FIELD_TYPES[field.type].pybind
    return f"const std::vector<{text}>&" if field.count else text


def _fill(field: Field) -> str:
    name = cpp_name(field.name)
    return listing("fill(", [f"desc.{name}", quoted(field.name), member(field.name)], ");")


def registrations(project: Project, ops: Iterable[Op]) -> Iterator[RegistrationView]:
    """A row for every kernel: platform, target's name, handler."""
    for op in ops:
        for kernel in cpp_kernels(op):
            symbol = f"{entry_symbol(project.namespace, op, kernel.platform)}_ffi"
            items = [quoted(kernel.platform), quoted(ffi_target(project.namespace, op))]
            items.append(f"reinterpret_cast<void*>(&{symbol})")
            yield RegistrationView(
                macro=PLATFORMS[kernel.platform].macro,
                declaration=f'extern "C" void* {symbol}(void*);',
                row=listing("{", items, "},"),
            )
