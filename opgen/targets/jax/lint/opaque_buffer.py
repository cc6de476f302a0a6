"""A tensor that an opaque call cannot describe.

What it does: checks ops with `jax.opaque = true`. Each tensor is always present and not a list.
Its dtype is fixed, or follows from dtypes in fields of the descriptor. Kernels have no `grid` or
`block`, and no `symbol` by cases.

Why: such a call receives only addresses and the descriptor.

Example:

    inputs.x     = { dtype = "T", shape = "n" }
    jax.opaque   = true
    descriptor.n = { type = "i64", value = "n" }

How to fix: add `descriptor.x_type = { type = "dtype", value = "T" }`, or remove the
descriptor, because its default has a field for each dtype. Or remove `jax.opaque`.
"""

from collections.abc import Iterator

from opgen.ir.descriptor import describe
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Name
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.extensions import platforms

RULE = Rule("OG612", "opaque-buffer", Stage.MEANING)
HELP = "leave out `jax.opaque`"


def check(op: OpContext) -> Iterator[Diagnostic]:
    if not op.spec.options["jax"]["opaque"]:
        return
    held = {f.value for f in describe(op.scope).fields if f.count is None}
    for name, tensor in op.spec.tensors.items():
        where, dtype = op.at(tensor.path, "key"), tensor.dtype.alone
        if tensor.absentable:
            what = f"`{name}` may be absent or is a list: an opaque call has one address for it"
            yield RULE.at(where, what, HELP)
        elif dtype is None:
            what = f"the dtype of `{name}` depends on the call, of which an opaque one says nothing"
            yield RULE.at(where, what, HELP)
        elif dtype not in DTYPES and Name(dtype) not in held:
            for free in op.dtypes.free(dtype):
                if Name(free) not in held:
                    what = f"the dtype of `{name}`: no field of the descriptor holds `{free}`"
                    help_ = f'add `descriptor.{free} = {{ type = "dtype", value = "{free}" }}`'
                    yield RULE.at(where, what, help_)
    for kernel in op.spec.kernels:
        if platforms()[kernel.platform].native:
            for key in (key for key in ("grid", "block") if key in kernel.given):
                what = f"an opaque call has no `{key}`"
                yield RULE.at(op.at((*kernel.path, key), "key"), what, HELP)
            if kernel.symbol.by_table:
                what = "an opaque call does not say which case it is"
                yield RULE.at(op.at((*kernel.path, "symbol"), "key"), what, HELP)
            if kernel.listed:
                what = "an opaque call does not say which kernel of a list it is for"
                yield RULE.at(op.at(kernel.path), what, HELP)
