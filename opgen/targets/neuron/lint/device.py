"""An op with a kernel for Neuron has an input on the host.

This rule checks that no input of an op with a kernel for Neuron has `device = "cpu"`.

Why: the arguments of custom operators and of NKI kernels are tensors on the device.

Example:

    inputs.counts  = { dtype = "i64", shape = "k", device = "cpu" }
    kernels        = [{ on = "neuron", symbol = "grouped" }]

How to fix: leave `device` out, or write a separate op for Neuron.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG811", "neuron-device", Stage.NAMES)


def check(op: OpContext) -> Findings:
    if "neuron" not in op.spec.platforms:
        return
    for name, tensor in op.spec.inputs.items():
        if tensor.device is not None:
            where = op.at((*tensor.path, "device"), "key")
            yield RULE.at(where, f"no kernel for Neuron takes `{name}` on the host")
