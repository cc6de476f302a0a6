"""Convert the spec of a Triton kernel to the IR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opgen.ir.descriptor import describe, over_fields
from opgen.ir.kinds import Written
from opgen.ir.nodes import Field
from opgen.language.expr import names_in, parse_expr
from opgen.language.python_functions import functions_in
from opgen.language.scope import Scope
from opgen.spec.models.kernels import KernelSpec
from opgen.targets.triton.code import Constant, TritonKernel


def triton_kernel(written: Written) -> TritonKernel:
    """Return the IR of a Triton kernel in a spec."""
    scope, kernel, dispatch, rows, read = written
    triton = kernel.by_triton
    assert triton is not None
    file, _, function = triton.function.partition(":")
    fields = describe(scope).fields
    parameters = functions_in(read(file))[function].parameters
    arguments = tuple(p.name for p in parameters if not p.constexpr)
    tensors = [name for name in arguments if name in scope.spec.tensors]
    return TritonKernel(
        file=file,
        function=function,
        arguments=arguments,
        constants=tuple(
            _constant(scope, kernel, p.name, fields)
            for p in parameters
            if p.name in kernel.constexpr
        ),
        dtypes=tuple(
            {name: dtype_in(scope, name, dict(zip(dispatch, row))) or "" for name in tensors}
            for row in rows
        ),
        aligned=triton.aligned,
        num_warps=triton.num_warps,
        num_stages=triton.num_stages,
        tuned=tuple(kernel.tune.items()),
        grid=(
            tuple(over_fields(parse_expr(str(e)), fields) for e in kernel.grid)
            if grid_is_tuned(kernel)
            else ()
        ),
    )


def grid_is_tuned(kernel: KernelSpec) -> bool:
    """Return whether the grid depends on tuned values, so that only the entry can compute it."""
    names = {name for each in kernel.grid for name in names_in(parse_expr(str(each)))}
    return not names.isdisjoint(kernel.tune)


def dtype_in(scope: Scope, tensor: str, values: Mapping[str, object]) -> str | None:
    """Return the dtype of a tensor for one row (combination of dtypes) of the dispatch table.

    `values` maps the dtype variables to their values in the row. The result is None if the row does
    not determine the dtype.
    """
    dtype = scope.spec.tensors[tensor].dtype
    return scope.dtypes.value(dtype.alone, values) if dtype.alone is not None else None


def _constant(scope: Scope, kernel: KernelSpec, name: str, fields: Sequence[Field]) -> Constant:
    value = kernel.constexpr[name]
    if not isinstance(value, str):
        return Constant(name, (value,))
    expr = over_fields(parse_expr(value), fields)
    return Constant(name, kernel.values.get(name, (False, True)), expr)
