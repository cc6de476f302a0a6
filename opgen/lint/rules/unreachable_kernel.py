"""A kernel in a list never runs.

This rule compares each kernel with the kernels before it in the list. An earlier kernel runs
instead if it accepts all calls that the later kernel accepts, and has all guarantees of the later
kernel. The rule reports a kernel if this holds for all dtypes and options that the kernel accepts.

Why: the first kernel of the list that accepts a call runs, so the later kernel has no effect.

Example:

    kernels     = [
        { on = "cpu", symbol = "f" },
        { on = "cpu", symbol = "f_wide", require = ["d >= 4096"] },
    ]

How to fix: put the kernel that accepts fewer calls first, or correct `require`.
"""

from opgen.ir.resolve_kernels import kernel_name
from opgen.lint.kernel_lists import calls, lists
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG618", "unreachable-kernel", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for listed in lists(op):
        every = calls(op, listed)
        for n, each in enumerate(listed):
            mine = [values for values in every if not each.refuses(values)]
            first = {
                next((k for k in range(n) if listed[k].goes_before(each, values)), None)
                for values in mine
            }
            if not mine or None in first:
                continue
            names = [
                f"`{kernel_name(op.spec, listed[k].kernel)}`"
                for k in sorted(k for k in first if k is not None)
            ]
            yield RULE.at(
                op.at(each.kernel.path),
                f"`{kernel_name(op.spec, each.kernel)}` never runs: {' and '.join(names)} before it "
                f"{'take' if names[1:] else 'takes'} every call that it takes",
                "put it first, or correct `require`",
            )
