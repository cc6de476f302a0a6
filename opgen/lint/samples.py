"""The keys that a sample, which describes an example call of an op, may set."""

from __future__ import annotations

from opgen.lint.op_context import OpContext


def known_keys(op: OpContext) -> list[str]:
    """Return all keys that a sample of `op` may have.

    These are the dims, groups, attrs, free dtype variables, optional tensors and `rtol`.
    """
    absent = [name for name, tensor in op.spec.tensors.items() if tensor.optional]
    return [*op.scope.bound, *op.spec.attrs, *op.free_dtypes, *absent, "rtol"]
