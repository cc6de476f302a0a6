"""What a sample may set."""

from __future__ import annotations

from opgen.lint.op_context import OpContext

TOLERANCES = ("rtol", "atol")


def known_keys(op: OpContext) -> list[str]:
    """Dims, groups, attrs, free dtype variables, tensors that may be absent, tolerances."""
    scope = op.scope
    absent = [n for n, (_, e) in scope.tensors.items() if e.get("optional")]
    free = [n for n, v in scope.dtypes.items() if isinstance(v, list)]
    return [*scope.bound, *scope.attrs, *free, *absent, *TOLERANCES]
