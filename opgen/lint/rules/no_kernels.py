"""An op has no kernel.

This rule checks that `kernels` names a platform or the reference.

Why: the op could not run on any device.

Example:

    kernels = []

How to fix: write `kernels = ["cpu"]`. Until the kernel exists, write `kernels = ["reference"]`.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG610", "no-kernels", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if not op.spec.kernels and not op.spec.fallback:
        help_ = 'name a platform, or the reference: `kernels = ["reference"]`'
        yield RULE.at(op.at(("kernels",)), f"`{op.name}` runs nowhere", help_)
