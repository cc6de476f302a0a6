"""A custom operator of Neuron does not accept an attr of this type.

This rule checks attrs if the kernel for Neuron is written in C++. They must have the type
`float` (a C++ double) or `int` (an int64_t). They must always have a value, and a default must be
a number.

Why: "Neuron Custom C++ Operators Developer Guide", Kernel Function: a kernel takes torch::Tensor,
torch::Scalar, double and int64_t, but no vectors of these. PyTorch on the host accepts more types,
so the error would appear only on the device.

Example:

    attrs.inverse  = { type = "bool", default = false }
    kernels        = [{ on = "neuron", symbol = "rotary" }]

How to fix: make the attr an `int` or a `float`, or write the kernel for Neuron in NKI.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import KERNEL, kernel_of

RULE = Rule("OG801", "neuron-attr", Stage.NAMES)


def check(op: OpContext) -> Findings:
    if kernel_of(op) is None:
        return
    help_ = f"use `float` or `int` ({KERNEL}), or a kernel in NKI"
    for name, attr in op.spec.attrs.items():
        if attr.type not in ("float", "int"):
            message = f"a custom operator of Neuron takes no `{attr.type}`: only double and int64_t"
            yield RULE.at(op.at(("attrs", name, "type")), message, help_)
        elif attr.optional:
            message = f"a custom operator of Neuron takes no None: `{name}` is optional"
            yield RULE.at(op.at(("attrs", name, "optional"), "key"), message, help_)
        elif attr.late_default is not None:
            message = f"the default of `{name}` for a custom operator of Neuron must be a number"
            yield RULE.at(op.at(("attrs", name, "default")), message, help_)
