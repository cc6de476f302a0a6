"""opgen cannot choose between the kernels in a list.

This rule checks that the kernels for a platform have different names, and that no kernel is
named `reference`. Only platforms whose kernels are called by C++ may have several kernels, because
C++ makes the choice. `"reference"` must be last.

Why: the functions `which` and `kernels`, and the environment variable `OPGEN_KERNELS`, find a
kernel by its name.

Example:

    kernels = [{ on = "cpu", require = ["d % 8 == 0"] }, "cpu"]

How to fix: give one of the kernels a `name`, or another symbol.
"""

from opgen.ir.resolve_kernels import kernel_name
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.extensions import platforms

RULE = Rule("OG617", "kernel-list", Stage.NAMES)


def check(op: OpContext) -> Findings:
    last = op.spec.last
    if last is not None and any(kernel.path > ("kernels", last) for kernel in op.spec.kernels):
        where = op.at(("kernels", last))
        yield RULE.at(where, "the reference takes every call: none is left", "put it last")
    seen: set[tuple[str, str]] = set()
    for kernel in op.spec.kernels:
        if not kernel.listed:
            continue
        where, name = op.at(kernel.path), kernel_name(op.spec, kernel)
        if not platforms()[kernel.platform].native:
            what = f"kernels for {kernel.platform} are not called by C++, which would choose"
            yield RULE.at(where, what, "give one kernel")
        elif name == "reference":
            what = "a kernel called `reference`, which stands for the op's reference"
            yield RULE.at(where, what, "give it another `name`")
        elif (kernel.platform, name) in seen:
            what = f"two kernels for {kernel.platform} are called `{name}`"
            yield RULE.at(where, what, "give one of them a `name`")
        seen.add((kernel.platform, name))
