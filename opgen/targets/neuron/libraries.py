"""The ops with kernels for Neuron, and the library that holds the C++ custom operators."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.frozen import dataclass

PLATFORM = "neuron"


@dataclass(frozen=True, slots=True)
class Operator:
    """An op, and its C++ kernel for Neuron."""

    op: Op
    kernel: Kernel

    @property
    def compute(self) -> str:
        """Return the name of the hand-written C++ function that computes the op.

        The name is the kernel's symbol, or `<op>_compute` if the symbol is the op's name.
        """
        name = self.kernel.symbol.only
        return f"{name}_compute" if name == self.op.name else name


@dataclass(frozen=True, slots=True)
class Library:
    """The custom operators of a project, in one library. A model can load only one such library."""

    name: str
    operators: tuple[Operator, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the C++ source files without duplicates, in the order of the ops."""
        files = (file for each in self.operators for file in each.kernel.sources)
        return tuple(dict.fromkeys(files))

    @property
    def families(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.op.family for each in self.operators))


def operators(project: Project) -> Iterator[Operator]:
    """Yield the ops with a C++ kernel for Neuron.

    An op with an NKI kernel also has a C++ kernel if the spec says `legacy = "operator"`.
    """
    for op in project.ops:
        kernel = op.kernel(PLATFORM)
        if kernel and (kernel.named is None or kernel.options["legacy"] == "operator"):
            yield Operator(op, kernel)


def nki_ops(project: Project) -> list[Op]:
    """Return the ops with an NKI kernel, sorted by name."""
    kernels = ((op, op.kernel(PLATFORM)) for op in project.ops)
    found = (op for op, kernel in kernels if kernel is not None and kernel.named)
    return sorted(found, key=lambda op: op.name)


def library_of(project: Project) -> Library | None:
    """Return the library of a project, or None if no op has a C++ kernel."""
    found = tuple(operators(project))
    return Library(f"{project.namespace}_{PLATFORM}", found) if found else None
