"""The requirements exclude every dtype combination of a kernel.

This rule checks, for all combinations of dtypes, the requirements of the op and of the kernel
that depend only on dtypes.

Why: no call could run the kernel.

Example:

    [dtypes]
    T = ["f32", "bf16"]

with `require = ["T == f64"]`.

How to fix: correct the requirement, or add the dtype.
"""

from opgen.lint.dispatch import tables
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG603", "no-rows", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for platform, rows in tables(op):
        if rows == 0:
            yield RULE.at(
                op.at(op.spec.kernels_for(platform)[0].path),
                f"the requirements leave no dtypes for the {platform} kernel",
                "correct `require`",
            )
