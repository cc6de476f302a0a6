"""The kernel kind `pallas`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from opgen.ir.kinds import Files, Kind, Written
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic
from opgen.targets.tpu import checks
from opgen.targets.tpu.resolve import PallasKernel, has_elements, pallas_kernel, sizes


class Pallas(Kind):
    """Kernels that are Pallas functions in Python files. JAX compiles them."""

    code = PallasKernel
    rule = checks.BAD_PALLAS
    dispatched = True

    def resolve(self, written: Written) -> PallasKernel:
        scope, kernel = written.scope, written.kernel
        return pallas_kernel(scope, kernel, written.read((kernel.named or "").partition(":")[0]))

    def requires(self, scope: Scope) -> Iterable[Expr]:
        return has_elements(scope)

    def sizes(self, op: Op, kernel: Kernel) -> Mapping[str, Expr]:
        assert isinstance(kernel.code, PallasKernel)
        return sizes(op, kernel.code)

    def check(self, files: Files) -> Iterator[Diagnostic]:
        return checks.check(files)


KIND = Pallas()
