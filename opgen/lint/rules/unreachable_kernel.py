"""A kernel in a list never runs.

What it does: finds a kernel whose calls all run earlier kernels, by their dtypes and options. It
also finds a kernel if an earlier kernel has no further requirements and at least the same
guarantees.

Why: the first kernel of a list that accepts a call runs, so this one never does.

Example:

    kernels     = [
        { on = "cpu", symbol = "f" },
        { on = "cpu", symbol = "f_wide", require = ["d >= 4096"] },
    ]

How to fix: put the kernel that accepts fewer calls first, or correct `require`.
"""

from collections.abc import Iterator

from opgen.ir.resolve_kernels import kernel_name
from opgen.lint.kernel_lists import calls, lists
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG618", "unreachable-kernel", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
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
