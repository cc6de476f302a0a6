"""Convert a kernel's tunable values in the spec to the IR."""

from __future__ import annotations

from opgen.ir.descriptor import describe
from opgen.ir.tune import Tune
from opgen.language.expr import Call, Expr, names_in
from opgen.language.scope import RESERVED, Scope
from opgen.spec.models.kernels import KernelSpec


def tune_of(scope: Scope, kernel: KernelSpec, dispatch: tuple[str, ...]) -> Tune | None:
    """Return a kernel's tunable values, and the sizes and dtypes that select them."""
    if not kernel.tune:
        return None
    fields = describe(scope).fields
    sizes = (f.name for f in fields if f.type in ("i32", "i64") and _is_size(scope, f.value))
    return Tune(tuple(kernel.tune.items()), dispatch, tuple(sizes))


def _is_size(scope: Scope, value: Expr) -> bool:
    """Return whether `value`, the expression of a descriptor field, depends on dims or groups."""
    if isinstance(value, Call) and value.func in ("len", "stride"):
        return False
    names = set(names_in(value)) - {*scope.spec.attrs, *scope.spec.tensors, *RESERVED}
    return any(scope.type_of(name) in ("int", "ints") for name in names)
