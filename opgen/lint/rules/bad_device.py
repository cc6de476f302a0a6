"""`device` is on a tensor that cannot have a separate device.

This rule checks that only inputs have `device`. Such an input must be read-only and have no
gradient and no `init`. At least one input without `device` must be present in every call.

Why: the inputs without `device` determine the device of a call. opgen allocates results and
gradients there, and a module moves its parameters there.

Example:

    inputs.x     = { dtype = "T", shape = "n" }
    inputs.scale = { dtype = "T", shape = "", device = "cpu" }

How to fix: add `differentiable = false` to a floating input, or leave out `device`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG331", "bad-device", Stage.TYPES)


def check(op: OpContext) -> Findings:
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
