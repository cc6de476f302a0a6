"""The kind of kernels in Pallas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from opgen.ir.kinds import Kind
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.source_file import SourceFile
from opgen.spec.models.kernels import KernelSpec
from opgen.targets.tpu import checks
from opgen.targets.tpu.code import PallasKernel
from opgen.targets.tpu.resolve import has_elements, pallas_kernel, sizes


class Pallas(Kind):
    """Functions of Python files, which JAX compiles."""

    code = PallasKernel
    rule = checks.BAD_PALLAS
    dispatched = True

    def resolve(
        self,
        scope: Scope,
        kernel: KernelSpec,
        dispatch: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
        read: Callable[[str], str],
    ) -> PallasKernel:
        return pallas_kernel(scope, kernel, read((kernel.named or "").partition(":")[0]))

    def requires(self, scope: Scope) -> Iterable[Expr]:
        return has_elements(scope)

    def sizes(self, op: Op, kernel: Kernel) -> Mapping[str, Expr]:
        assert isinstance(kernel.code, PallasKernel)
        return sizes(op, kernel.code)

    def check(
        self,
        place: Callable[..., Where],
        scope: Scope,
        kernel: KernelSpec,
        folder: Path,
        sources: dict[str, SourceFile],
    ) -> Iterator[Diagnostic]:
        yield from checks.check(place, scope, kernel, folder, sources)


KIND = Pallas()
