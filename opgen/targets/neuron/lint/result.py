"""A custom operator of Neuron would have to return several tensors.

This rule allows only one result (an output or a residual) if the kernel for Neuron is in C++.

Why: "Neuron Custom C++ Operators Developer Guide", Kernel Function: a kernel returns one
torch::Tensor, and no std::tuple of them.

Example:

    outputs.y        = { dtype = "T", shape = "*batch n" }
    residuals.invvar = { dtype = "T", shape = "*batch" }
    kernels          = [{ on = "neuron", symbol = "rms_norm" }]

How to fix: split the op, compute the residual again in the backward, or write the kernel for
Neuron in NKI.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import KERNEL, kernel_of

RULE = Rule("OG803", "neuron-result", Stage.NAMES)


def check(op: OpContext) -> Findings:
    if kernel_of(op) is None:
        return
    written = (*op.spec.outputs.values(), *op.spec.residuals.values())
    for tensor in written[1:]:
        first = written[0]
        message = f"a custom operator of Neuron returns one tensor: `{first.name}` is it, `{tensor.name}` a second"
        help_ = f"split the op ({KERNEL}), or write its kernel in NKI"
        yield RULE.at(op.at(tensor.path, "key"), message, help_)
