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

import itertools

from opgen.language.dtypes import DTYPES
from opgen.language.expr.decide import decide
from opgen.lint.dispatch import conditions_of, free_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import REFERENCE, kernel_of, place

RULE = Rule("OG807", "neuron-dtype", Stage.MEANING)
SUPPORTED = ("f32", "bf16", "f16", "i64", "i32", "i16", "i8", "u8")


def check(op: OpContext) -> Findings:
    kernel = kernel_of(op)
    if kernel is None:
        return
    conditions = conditions_of(op, kernel)
    found: dict[tuple[str, str], None] = {}
    free = free_of(op)
    for values in itertools.product(*free.values()):
        row = dict(zip(free, values))
        if all(decide(condition, row) is not False for condition in conditions):
            for tensor in (*op.spec.inputs.values(), *op.spec.outputs.values()):
                every = (op.dtypes.possible(d, row) for d in tensor.dtype.values())
                for value in itertools.chain(*every):
                    if value in DTYPES and value not in SUPPORTED:
                        found[tensor.name, value] = None
    for name, dtype in found:
        yield RULE.at(
            op.at(place(op), "key"),
            f"`{name}` may be {dtype}: Neuron's custom operators have {', '.join(SUPPORTED)}",
            f"say in the kernel's `require` what it takes ({REFERENCE}, Tensor Factory Functions)",
        )
