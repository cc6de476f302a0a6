"""`device` on something that does not live by itself.

What it does: `device` belongs to an input that is only read, has no gradient and no `init`; and
some input that every call has is without one.

Why: the device of a call is that of its other inputs, results and gradients are made there, and
a module moves its parameters there.

Example:

    inputs.x     = { dtype = "T", shape = "n" }
    inputs.scale = { dtype = "T", shape = "", device = "cpu" }

How to fix: say `differentiable = false` of a floating one, or leave `device` out.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG331", "bad-device", Stage.TYPES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    placed = [t for t in op.spec.tensors.values() if t.device is not None]
    others = [t for t in op.spec.inputs.values() if t.device is None and not t.absentable]
    for tensor in placed:
        name, where = tensor.name, op.at((*tensor.path, "device"), "key")
        if tensor.table != "inputs":
            yield RULE.at(where, f"`{name}` is no input: it is made where the others are")
        elif tensor.updated:
            message = f"`{name}` is written or held where the others are"
            yield RULE.at(where, message, "an input with a `device` is only read")
        elif op.scope.differentiable(tensor):
            message = f"`{name}` may have a gradient, which is made where the others are"
            yield RULE.at(where, message, "say `differentiable = false`")
        elif not others:
            message = "no input that every call has says on which device the op runs"
            yield RULE.at(where, message, "leave the `device` of one out")
