"""The kernel kind `triton`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.ir.kinds import Files, Written
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.source.diagnostics import Diagnostic
from opgen.targets.cpp.kinds import CppKind
from opgen.targets.cpp.platforms import CppPlatform
from opgen.targets.target import OutputFile
from opgen.targets.triton import checks, launch
from opgen.targets.triton.code import TritonKernel
from opgen.targets.triton.resolve import triton_kernel


class Triton(CppKind):
    """Kernels that are Triton functions in Python files.

    opgen compiles them ahead of time for each combination of dtypes in the dispatch table.
    """

    code = TritonKernel
    rule = checks.BAD_TRITON
    dispatched = True
    tunes_grid = True
    driven = True

    def resolve(self, written: Written) -> TritonKernel:
        return triton_kernel(written)

    def check(self, files: Files) -> Iterator[Diagnostic]:
        return checks.check(files)

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
