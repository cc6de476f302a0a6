"""Some calls are accepted by none of the kernels in a list.

This rule looks for dtypes and options that no kernel of a list accepts. The rule ignores lists
that end with `"reference"`, because the reference accepts all calls.

Why: such a call raises an error. The rule ignores sizes, because many kernels support only some
sizes.

Example:

    [dtypes]
    T = ["f32", "bf16", "f64"]

with

    kernels     = [
        { on = "cpu", symbol = "f_wide", require = ["T == f32"] },
        { on = "cpu", symbol = "f_half", require = ["T == bf16"] },
    ]

How to fix: end the list with a kernel that accepts these calls, or with `"reference"`. Or add the
requirements of the kernels to the op.
"""

from opgen.language.expr import names_in
from opgen.lint.kernel_lists import calls, lists
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG619", "untaken-call", Stage.MEANING, overrulable=True)


def check(op: OpContext) -> Findings:
    for listed in lists(op):
        if op.spec.fallback:
            continue
        for values in calls(op, listed):
            if all(each.refuses(values) for each in listed):
                platform = listed[0].kernel.platform
                named = {n for each in listed for c in each.conditions for n in names_in(c)}
                what = ", ".join(f"{n} = {_shown(v)}" for n, v in values.items() if n in named)
                yield RULE.at(
                    op.at(op.spec.kernels_for(platform)[0].path),
                    f"no kernel for {platform} takes a call with {what}",
                    'add one that does, or end the list with "reference"',
                )
                break


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
