"""The kind of kernels in Triton."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.source_file import SourceFile
from opgen.spec.models.kernels import KernelSpec
from opgen.targets.cpp.kinds import CppKind
from opgen.targets.cpp.platforms import CppPlatform
from opgen.targets.target import OutputFile
from opgen.targets.triton import checks, launch
from opgen.targets.triton.code import TritonKernel
from opgen.targets.triton.resolve import triton_kernel


class Triton(CppKind):
    """Functions of Python files, compiled ahead of time for each row of dtypes."""

    code = TritonKernel
    rule = checks.BAD_TRITON
    dispatched = True
    tunes_grid = True
    driven = True

    def resolve(
        self,
        scope: Scope,
        kernel: KernelSpec,
        dispatch: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
        read: Callable[[str], str],
    ) -> TritonKernel:
        file = (kernel.named or "").partition(":")[0]
        return triton_kernel(scope, kernel, dispatch, rows, read(file))

    def check(
        self,
        place: Callable[..., Where],
        scope: Scope,
        kernel: KernelSpec,
        folder: Path,
        sources: dict[str, SourceFile],
    ) -> Iterator[Diagnostic]:
        yield from checks.check(place, scope, kernel, folder, sources)

    def headers(self, platform: CppPlatform) -> Iterable[str]:
        return (*platform.driver_headers, "opgen/triton.h")

    def declaration(self, project: Project, op: Op, kernel: Kernel) -> str:
        return "\n".join(launch.launch(project.namespace, op, kernel))

    def run(self, op: Op, kernel: Kernel, args: str, row: str) -> str:
        tune = "" if kernel.tune is None else ", tune"
        return f"{launch.function(op, kernel)}({args}, {row}{tune})"

    def outputs(self, project: Project, family: Family) -> Iterable[OutputFile]:
        if manifest := launch.manifest(project, family):
            yield OutputFile(f"cpp/{family.name}_triton.json", manifest)


KIND = Triton()
