"""A custom operator of Neuron does not accept a tensor of this kind.

This rule checks tensors if the kernel for Neuron is written in C++. No tensor may be a list,
be absent from some calls, or be updated in place.

Why: "Neuron Custom C++ Operators Developer Guide", Kernel Function: a kernel takes torch::Tensor
but no std::vector of tensors, and it returns its results.

Example:

    inputs.bias    = { dtype = "T", shape = "n", optional = true }
    kernels        = [{ on = "neuron", symbol = "linear" }]

How to fix: write a separate op for each combination of present tensors, or write the kernel for
Neuron in NKI.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import KERNEL, kernel_of

RULE = Rule("OG802", "neuron-tensor", Stage.NAMES)

_WHY = {
    "list": "is a list of tensors",
    "optional": "may be absent",
    "when": "may be absent",
    "update": "is updated in place",
}


def check(op: OpContext) -> Findings:
    if kernel_of(op) is None:
        return
    for name, tensor in op.spec.tensors.items():
        told = (tensor.list, tensor.optional, tensor.when, tensor.updated)
        for (key, why), there in zip(_WHY.items(), told):
            if there:
                yield RULE.at(
                    op.at((*tensor.path, key), "key"),
                    f"a custom operator of Neuron takes and returns single tensors: `{name}` {why}",
                    f"write an op for each form ({KERNEL}), or a kernel in NKI",
                )
