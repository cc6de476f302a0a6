"""Prepare the template data of a call and its tensors, which the adapters of all frameworks share.

An adapter is the C++ function that a framework calls for an op. A framework's module of adapters
(`Extension.adapters`) renders `cpp/<family>_<framework>.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.language.analysis import analysis
from opgen.language.expr.cpp import quoted
from opgen.source.frozen import dataclass
from opgen.spec.extensions import extensions, imported
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.kernel_methods import asks_device
from opgen.targets.cpp.names import given, member, struct
from opgen.targets.target import OutputFile


class Adapters(Protocol):
    """The interface of the module that renders the adapters of a framework."""

    def adapter_outputs(self, project: Project, family: Family) -> Iterable[OutputFile]:
        """Yield the C++ files with a framework's adapters for the ops of a family."""


def frameworks() -> Iterator[tuple[str, Adapters]]:
    """Yield each framework that has adapters, with its module, in the order of CMakeLists.txt."""
    for name, extension in sorted(extensions().items(), reverse=True):
        if extension.adapters:
            yield name, cast("Adapters", imported(extension.adapters, name))


@dataclass(frozen=True)
class MadeView:
    """A tensor that an adapter receives or creates."""

    # The name of its C++ variable.
    name: str
    # Its name in messages, quoted.
    label: str
    # The adapter parameter from which the tensor is made.
    given: str
    # The condition under which the call has the tensor, or "" if every call has it.
    present: str
    # The expression that computes its dtype and shape.
    spec: str


@dataclass(frozen=True)
class AdapterView:
    """The template data of an op that all its adapters share."""

    # The op's name in C++.
    name: str
    # Its name in messages, quoted.
    label: str
    # The names of its structs: the checked call, the arguments, and the descriptor.
    call: str
    args: str
    descriptor: str
    # The tensors by role; `written` are outputs and residuals.
    inputs: tuple[MadeView, ...]
    written: tuple[MadeView, ...]
    workspace: tuple[MadeView, ...]
    # The statement that creates the arguments of the entry.
    arguments: str


@analysis
def adapter(op: Op) -> AdapterView:
    """Return the template data that all adapters of an op share."""
    buffers = [f"{member(t.name)}.buffer" for t in op.tensors]
    return AdapterView(
        name=member(op.name),
        label=quoted(op.name),
        call=struct(op, "Call"),
        args=struct(op, "Args"),
        descriptor=struct(op, "Descriptor"),
        inputs=tuple(map(made, op.inputs)),
        written=tuple(map(made, op.written)),
        workspace=tuple(map(made, op.workspace)),
        arguments=listing(f"const {struct(op, 'Args')} args{{", ["&desc", "&ctx", *buffers], "};"),
    )


def construct(op: Op, values: Iterable[str]) -> str:
    """Return the statement that constructs the checked call of an op. `values` are the values of
    the op's attrs.
    """
    inputs = [f"{member(t.name)}.buffer" for t in op.inputs]
    return listing(f"const {struct(op, 'Call')} call(", [*inputs, *values], ");")


def made(tensor: Tensor) -> MadeView:
    """Return the template data of a tensor."""
    name = member(tensor.name)
    facts = "ctx.properties()" if asks_device(*tensor.shapes) else ""
    return MadeView(
        name=name,
        label=quoted(tensor.name),
        given=given(tensor.name),
        present="" if tensor.always else f"call.{name}present()",
        spec=f"call.{name}({facts})",
    )
