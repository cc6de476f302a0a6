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

import itertools
from collections.abc import Iterator

from opgen.language.expr.decide import decide
from opgen.lint.dispatch import conditions_of, free_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.models.kernels import KernelSpec
from opgen.targets.tpu.lint import PLATFORM

RULE = Rule("OG823", "tpu-dtype", Stage.MEANING)
LACKING = ("f64", "i64", "u64", "c64", "c128")


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels_for(PLATFORM):
        found = _found(op, kernel)
        for name, dtype in dict.fromkeys(found):
            tensor = op.spec.tensors[name]
            only = tensor.dtype.alone == dtype
            message = (
                f"`{name}` {'is' if only else 'may be'} {dtype}, which Pallas does not have on TPUs"
            )
            help_ = f'say in its `require` what it takes: "T != {dtype}"'
            help_ = "declare it with fewer bits" if only else help_
            yield RULE.at(op.at(tensor.path, "key"), message, help_)


def _found(op: OpContext, kernel: KernelSpec) -> Iterator[tuple[str, str]]:
    conditions, free = conditions_of(op, kernel), free_of(op)
    for values in itertools.product(*free.values()):
        row = dict(zip(free, values))
        if any(decide(condition, row) is False for condition in conditions):
            continue
        for tensor in op.spec.tensors.values():
            every = (op.dtypes.possible(d, row) for d in tensor.dtype.values())
            for dtype in itertools.chain(*every):
                if dtype in LACKING:
                    yield tensor.name, dtype
