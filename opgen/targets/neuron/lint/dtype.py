"""Custom operators of Neuron do not support a dtype.

This rule checks dtypes if the kernel for Neuron is written in C++. The requirements of the op
and the kernel must allow only these dtypes: f32, bf16, f16, i64, i32, i16, i8, u8.

Why: "Neuron Custom Operators API Reference Guide", Tensor Factory Functions, lists these dtypes.

Example:

    [dtypes]
    T = ["f32", "f64"]

with `kernels = ["neuron"]`.

How to fix: exclude all other dtypes for this kernel: `require = ["T != f64"]`.
"""

from opgen.language.dtypes import DTYPES
from opgen.lint.dispatch import possible_dtypes
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import REFERENCE, kernel_of, place

RULE = Rule("OG807", "neuron-dtype", Stage.MEANING)
SUPPORTED = ("f32", "bf16", "f16", "i64", "i32", "i16", "i8", "u8")


def check(op: OpContext) -> Findings:
    kernel = kernel_of(op)
    if kernel is None:
        return
    tensors = (*op.spec.inputs.values(), *op.spec.outputs.values())
    for tensor, dtype in possible_dtypes(op, kernel, tensors):
        if dtype in SUPPORTED or dtype not in DTYPES:
            continue
        yield RULE.at(
            op.at(place(op), "key"),
            f"`{tensor.name}` may be {dtype}: Neuron's custom operators have {', '.join(SUPPORTED)}",
            f"say in the kernel's `require` what it takes ({REFERENCE}, Tensor Factory Functions)",
        )
