"""opgen would instantiate a kernel for too many dtype combinations.

This rule counts the combinations of dtypes that the requirements of the op and of the kernel
allow. There may be at most 64.

Why: every combination is a copy of the kernel that is compiled and shipped.

Example: a kernel over three free variables of five dtypes each.

How to fix: restrict `dispatch` to the variables that matter: `dispatch = ["T"]`. The kernel then
receives the other tensors untyped. Or restrict the combinations:
`require = ["W == T or W == f32"]`.
"""

from opgen.lint.dispatch import tables
from opgen.lint.rule import Findings, OpContext, Rule, Stage

ROWS_AT_MOST = 64
RULE = Rule("OG602", "too-many-rows", Stage.MEANING, overrulable=True)


def check(op: OpContext) -> Findings:
    for platform, rows in tables(op):
        if rows > ROWS_AT_MOST:
            yield RULE.at(
                op.at(op.spec.kernels_for(platform)[0].path),
                f"the {platform} kernel is made for {rows} dtype combinations; {ROWS_AT_MOST} are allowed",
                "name fewer variables in `dispatch`, or `require` what is meant",
            )
