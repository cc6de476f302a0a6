"""Find the kinds of kernels that run in the kernel library without a hand-written C++ source."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.kinds import Kind, kind_of
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.targets.cpp.platforms import CppPlatform
from opgen.targets.target import OutputFile


class CppKind(Kind):
    """The interface of a kind of kernel that an entry (the C function of an op) can call."""

    # True if a driver launches the code. Then the entries do not need the platform's compiler.
    driven = False

    def headers(self, platform: CppPlatform) -> Iterable[str]:
        """Return the headers that entries include to call kernels of this kind."""
        return ()

    def declaration(self, project: Project, op: Op, kernel: Kernel) -> str:
        """Return the code that precedes the entry, such as declarations."""
        return ""

    def run(self, op: Op, kernel: Kernel, args: str, row: str) -> str:
        """Return the call that runs a kernel with `args` for one row (dtypes) of its dispatch
        table.
        """
        raise NotImplementedError

    def outputs(self, project: Project, family: Family) -> Iterable[OutputFile]:
        """Yield the files that kernels of this kind add to the files of a family."""
        return ()


def cpp_kind(kernel: Kernel) -> CppKind | None:
    """Return the kind of a kernel, or None if entries do not call kernels of that kind."""
    kind = kind_of(kernel)
    return kind if isinstance(kind, CppKind) else None


def cpp_kinds(kernels: Iterable[Kernel]) -> list[CppKind]:
    """Return the distinct kinds of the given kernels that entries can call."""
    found = {kernel.kind: cpp_kind(kernel) for kernel in kernels}
    return [kind for _, kind in sorted(found.items()) if kind is not None]
