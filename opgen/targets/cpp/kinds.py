"""Kinds of kernels that run in the library of kernels: what C++ calls in place of a source."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.kinds import Kind, kind_of
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.targets.cpp.platforms import CppPlatform
from opgen.targets.target import OutputFile


class CppKind(Kind):
    """A kind of kernels that the entries call."""

    # Whether a driver launches its code, so that entries need no compiler of the platform.
    driven = False

    def headers(self, platform: CppPlatform) -> Iterable[str]:
        """Return the headers that entries include."""
        return ()

    def declaration(self, project: Project, op: Op, kernel: Kernel) -> str:
        """Return what stands before the entry."""
        return ""

    def run(self, op: Op, kernel: Kernel, args: str, row: str) -> str:
        """Return the call of a kernel with arguments, for a row of its dtypes."""
        raise NotImplementedError

    def outputs(self, project: Project, family: Family) -> Iterable[OutputFile]:
        """Yield further files of a family."""
        return ()


def cpp_kind(kernel: Kernel) -> CppKind | None:
    """Return the kind of a kernel, if entries call kernels of it."""
    kind = kind_of(kernel)
    return kind if isinstance(kind, CppKind) else None


def cpp_kinds(kernels: Iterable[Kernel]) -> list[CppKind]:
    """Return the kinds of some kernels, in the order of their keys."""
    found = {kernel.kind: cpp_kind(kernel) for kernel in kernels}
    return [kind for _, kind in sorted(found.items()) if kind is not None]
