"""`seed` on something that cannot be one.

What it does: an input with `seed` is an `i64` scalar that every call has and none updates; it
says neither where a dim begins nor what it starts with.

Why: PyTorch draws a seed where the caller gives none, and JAX makes one of a key.

Example:

    inputs.x    = { dtype = "T", shape = "*s" }
    inputs.seed = { dtype = "u32", shape = "2", seed = true }

How to fix: `dtype = "i64", shape = ""`.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG330", "bad-seed", Stage.TYPES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for name, tensor in op.spec.tensors.items():
        if not tensor.seed:
            continue
        where = op.at((*tensor.path, "seed"), "key")
        if tensor.table != "inputs":
            message = f"`{name}` is no input: nobody gives it a seed"
            yield RULE.at(where, message, "`seed` belongs to an input")
        elif not tensor.scalar_index or tensor.begin is not None or tensor.init is not None:
            message = f"`{name}` cannot hold a seed"
            help_ = 'it is `{ dtype = "i64", shape = "" }`, in every call and only read'
            yield RULE.at(where, message, help_)
