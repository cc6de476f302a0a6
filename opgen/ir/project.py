"""Families of ops, and the project that they make: what a target renders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from opgen.ir.op import Op


@dataclass(frozen=True, slots=True)
class Family:
    """The ops of one spec file, and the text of their references, of their optimizers for JAX
    and of their kernels in Python."""

    name: str
    spec: str
    spec_text: str
    ops: tuple[Op, ...]
    references: tuple[tuple[str, str], ...]
    optimizers: tuple[tuple[str, str], ...] = ()
    python_kernels: tuple[tuple[str, str], ...] = ()

    @property
    def stages(self) -> frozenset[str]:
        """The ops that are stages of others: nobody calls them but the runtimes and tests."""
        return frozenset(n for op in self.ops for _, names in op.stages for n in names)


@dataclass(frozen=True)
class Project:
    """The families that are rendered together: all, or some that name no op of others."""

    package: str
    namespace: str
    families: tuple[Family, ...]
    kernels_dir: str = "kernels"
    runtime: str = "vendored"  # or "package": opgen-runtime has it

    @cached_property
    def ops(self) -> tuple[Op, ...]:
        return tuple(op for family in self.families for op in family.ops)

    @cached_property
    def _by_name(self) -> dict[str, Op]:
        return {op.name: op for op in self.ops}

    def op(self, name: str) -> Op:
        return self._by_name[name]

    @cached_property
    def backwards(self) -> frozenset[str]:
        """The ops that are a backward of another."""
        return frozenset(made.op for op in self.ops for made in op.backward_calls)

    @cached_property
    def residual_readers(self) -> frozenset[str]:
        """The backwards that read residuals of their forward.

        What a kernel does with residuals that are not those of its other inputs says
        nothing: the gradients of the forward say whether it is right.
        """
        return frozenset(
            made.op
            for op in self.ops
            for made in op.backward_calls
            if any(argument.source == "residual" for argument in made.arguments)
        )


@dataclass(frozen=True, slots=True)
class Whole:
    """A project as the files see it that are about all of it.

    `families` and `ops` are names, in order; `layout` is the layout hash, `runtime` says
    where opgen's runtime is: "vendored" or in the "package" opgen-runtime.
    """

    package: str
    namespace: str
    kernels_dir: str
    families: tuple[str, ...]
    ops: tuple[str, ...]
    layout: str
    runtime: str
