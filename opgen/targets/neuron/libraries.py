"""The ops with C++ custom operators for Neuron, and the library of each."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.frozen import dataclass

PLATFORM = "neuron"


@dataclass(frozen=True, slots=True)
class Operator:
    """One op with its C++ kernel."""

    op: Op
    kernel: Kernel

    @property
    def compute(self) -> str:
        """Return the hand-written function: `<op>_compute`, or the spec's symbol."""
        name = self.kernel.symbol.only
        return f"{name}_compute" if name == self.op.name else name


@dataclass(frozen=True, slots=True)
class Library:
    """The operators in one file. A model can load only one such library."""

    name: str
    operators: tuple[Operator, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the kernel files without duplicates, in the order of the ops."""
        files = (file for each in self.operators for file in each.kernel.sources)
        return tuple(dict.fromkeys(files))

    @property
    def families(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.op.family for each in self.operators))


def operators(project: Project) -> Iterator[Operator]:
    """Yield the ops with a C++ kernel. Ops with an NKI kernel may have one for old SDKs."""
    for op in project.ops:
        kernel = op.kernel(PLATFORM)
        if kernel and (kernel.named is None or kernel.options["legacy"] == "operator"):
            yield Operator(op, kernel)


def nki_ops(project: Project) -> list[Op]:
    """Return the ops with an NKI kernel, by name."""
    kernels = ((op, op.kernel(PLATFORM)) for op in project.ops)
    found = (op for op, kernel in kernels if kernel is not None and kernel.named)
    return sorted(found, key=lambda op: op.name)


def library_of(project: Project) -> Library | None:
    """Return the library of a project, or None if no op has a C++ kernel."""
    found = tuple(operators(project))
    return Library(f"{project.namespace}_{PLATFORM}", found) if found else None
