"""Template data for C++ custom operators: shape functions, declarations and registrations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr.cpp import CppPrinter, quoted
from opgen.source.frozen import dataclass
from opgen.targets.cpp.cpp_format import doc, listing
from opgen.targets.cpp.names import given, member, struct
from opgen.targets.cpp.printing import message, printer_of
from opgen.targets.neuron.libraries import Operator
from opgen.targets.public_api import shape_comment
from opgen.targets.torch.schema import schema as torch_schema

ATTR_TYPES = {"float": "double", "int": "int64_t"}


@dataclass(frozen=True, slots=True)
class OperatorView:
    """Template data for one C++ custom operator. The C++ functions `shape` and `compute` take the
    same arguments.
    """

    name: str
    doc: str
    shape: str
    body: tuple[str, ...]
    compute: str
    schema: str
    definition: str
    cpu: str
    meta: str


def operator_view(project: Project, operator: Operator) -> OperatorView:
    """Return the template data for one operator."""
    op = operator.op
    label, shape = quoted(op.name), f"{op.name}_shape"
    return OperatorView(
        name=op.name,
        doc=_doc(op),
        shape=_signature(op, shape, " {"),
        body=tuple(_shape_body(project, operator)),
        compute=_signature(op, operator.compute, ";"),
        schema=quoted(torch_schema(op)),
        definition=f"m.def({label}, &{shape}, {quoted(operator.compute)});",
        cpu=f"m.impl({label}, &opgen::neuron::Checked<&{shape}, &{operator.compute}>::run);",
        meta=f"m.impl({label}, &opgen::neuron::Meta<&{shape}>::run);",
    )


def _doc(op: Op) -> str:
    """Return the comment above a declaration, for example `relu: T[*s] x -> T[*s] y.`"""
    given = ", ".join(f"{shape_comment(t)} {t.name}" for t in op.inputs)
    (result,) = op.outputs
    return doc(f"{op.name}: {given} -> {shape_comment(result)} {result.name}.")


def _signature(op: Op, name: str, tail: str) -> str:
    items = [f"const torch::Tensor& {given(t.name)}" for t in op.inputs]
    items += [f"{ATTR_TYPES[attr.type]} {given(attr.name)}" for attr in op.attrs]
    return listing(f"torch::Tensor {name}(", items, ")" + tail)


def _shape_body(project: Project, operator: Operator) -> Iterator[str]:
    """Yield the statements of a shape function.

    The statements check the arguments and the kernel's requirements. They return an empty tensor
    with the result's shape and dtype.
    """
    op = operator.op
    label = quoted(op.name)
    items = []
    for tensor in op.inputs:
        name = member(tensor.name)
        yield f"const opgen::neuron::Input {name}({label}, {quoted(tensor.name)}, {given(tensor.name)});"
        items.append(f"{name}.buffer")
    items += [given(attr.name) for attr in op.attrs]
    call = f"const {project.namespace}::{struct(op, 'Call')} call("
    yield listing(call, items, ");")
    printer = _printer(op)
    for requirement in operator.kernel.require:
        told = message(op, requirement, printer)
        items = [printer(requirement.condition), label, *told]
        yield listing("opgen::neuron::require(", items, ");")
    (result,) = op.outputs
    made = f"call.{member(result.name)}()"
    items = [label, quoted(result.name), made]
    yield listing("return opgen::neuron::empty(", items, ");")


def _printer(op: Op) -> CppPrinter:
    """Return a printer for expressions, which prints each name as a member of `call`."""
    return replace(printer_of(op), name=lambda name: f"call.{member(name)}")
