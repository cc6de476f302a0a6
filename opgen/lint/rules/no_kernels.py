"""An op has no kernel.

This rule checks that `kernels` names a platform or the reference.

Why: the op could not run on any device.

Example:

    kernels = []

How to fix: write `kernels = ["cpu"]`. Until the kernel exists, write `kernels = ["reference"]`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG610", "no-kernels", Stage.NAMES)


def check(op: OpContext) -> Findings:
    if not op.spec.kernels and not op.spec.fallback:
        help_ = 'name a platform, or the reference: `kernels = ["reference"]`'
        yield RULE.at(op.at(("kernels",)), f"`{op.name}` runs nowhere", help_)
