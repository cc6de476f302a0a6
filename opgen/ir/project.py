"""A family has all ops of one spec file. A project has all families to render."""

from __future__ import annotations

from opgen.ir.op import Op
from opgen.source.cached import cached_property
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class FrameworkFile:
    """A hand-written Python file for one framework, which opgen copies into the package.

    The copy is in the package's folder for the framework `target`, or in its subfolder for
    `library`, a library of this framework. The package exports `offers`, the names in the file's
    `__all__`.
    """

    name: str  # the name of the file next to the spec
    target: str
    library: str
    text: str
    imports: tuple[str, ...]  # the names that it imports from the package itself
    offers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """The ops of one spec file, with the text of its Python files: references and kernels."""

    name: str
    spec: str
    spec_text: str
    ops: tuple[Op, ...]
    references: tuple[tuple[str, str], ...]
    python_kernels: tuple[tuple[str, str], ...] = ()
    framework_files: tuple[FrameworkFile, ...] = ()

    @property
    def stages(self) -> frozenset[str]:
        """Return the stages: ops that together replace another op if a dim is split over devices.
        Only the runtimes and tests call stages.
        """
        return frozenset(n for op in self.ops for _, names in op.stages for n in names)


@dataclass(frozen=True)
class Project:
    """The families that are rendered together: all families of the user's project, or a subset.

    A subset can be rendered alone if it shares no ops with the other families.
    """

    package: str
    namespace: str
    families: tuple[Family, ...]
    kernels_dir: str = "kernels"
    runtime: str = "vendored"  # or "package": from opgen-runtime

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
        """Return the names of the ops that are the backward of another op."""
        return frozenset(made.op for op in self.ops for made in op.backward_calls)

    @cached_property
    def residual_readers(self) -> frozenset[str]:
        """Return the names of the backward ops that read residuals (saved values) of their forward.

        Such an op cannot be tested alone, because residuals must match the other inputs. The tests
        of the forward's gradients cover the op instead.
        """
        return frozenset(
            made.op
            for op in self.ops
            for made in op.backward_calls
            if any(argument.source == "residual" for argument in made.arguments)
        )


@dataclass(frozen=True, slots=True)
class Whole:
    """The names and settings of a complete project, for rendered files that cover all families.

    `families` and `ops` are names, in order, and `layout` is the layout hash. `runtime` is
    "vendored" if the rendered package contains the runtime, or "package" if it imports
    opgen-runtime.
    """

    package: str
    namespace: str
    kernels_dir: str
    families: tuple[str, ...]
    ops: tuple[str, ...]
    layout: str
    runtime: str
