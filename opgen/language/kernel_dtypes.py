"""The dtypes that a kernel may receive."""

from __future__ import annotations

from opgen.language.expr import parse_expr
from opgen.language.expr.decide import decide
from opgen.language.scope import Scope
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.tensors import TensorSpec


def kernel_dtypes(scope: Scope, kernel: KernelSpec, tensor: TensorSpec) -> tuple[str, ...]:
    """Return the dtypes of `tensor` that `kernel` may receive.

    A dtype is left out if a requirement of the op or kernel rejects it in every call.
    """
    variable = tensor.dtype.alone or ""
    conditions = [parse_expr(r.condition) for r in (*scope.spec.require, *kernel.require)]
    return tuple(
        dtype
        for dtype in scope.dtypes_of(tensor)
        if all(decide(condition, {variable: dtype}) is not False for condition in conditions)
    )
