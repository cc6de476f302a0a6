"""Pallas kernels do not support a dtype.

This rule checks the dtypes of every tensor, except dtypes that the requirements of the op or
the kernel exclude. No dtype may be complex or have 64 bits.

Why: Pallas does not support these dtypes on TPUs.

Example:

    [dtypes]
    T = ["f32", "f64"]

with `{ on = "tpu", pallas = "norms/norms.py:rms_norm" }`.

How to fix: exclude these dtypes for this kernel: `require = ["T != f64"]`. With `"reference"` in
`kernels`, the reference runs for them.
"""

from opgen.lint.dispatch import possible_dtypes
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.tpu.lint import PLATFORM

RULE = Rule("OG823", "tpu-dtype", Stage.MEANING)
LACKING = ("f64", "i64", "u64", "c64", "c128")


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels_for(PLATFORM):
        for tensor, dtype in possible_dtypes(op, kernel, op.spec.tensors.values()):
            if dtype not in LACKING:
                continue
            only = tensor.dtype.alone == dtype
            message = f"`{tensor.name}` {'is' if only else 'may be'} {dtype}, which Pallas does not have on TPUs"
            help_ = f'say in its `require` what it takes: "T != {dtype}"'
            help_ = "declare it with fewer bits" if only else help_
            yield RULE.at(op.at(tensor.path, "key"), message, help_)
