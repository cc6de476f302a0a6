"""A backward's kernel would read a residual that the forward's reference does not compute.

This rule finds calls for which an op runs its reference, because `kernels` contains
`"reference"`. These are the calls on platforms without a kernel, and the calls that the kernel does
not accept (`require`, `index`). In these calls, a backward that reads the op's residuals must not
run a kernel either. So the backward's kernel must have the same requirements.

Why: a reference computes no residuals. The backward's own reference computes them again, but its
kernel would read unwritten memory.

Example:

    # The backward's kernel has no `require`.
    kernels      = [{ on = "cpu", require = ["d % 4 == 0"] }, "reference"]

How to fix: give the backward's kernel the same `require` and `index`, and
`"reference"` in `kernels`.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.extensions import platforms
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.ops import OpSpec

RULE = Rule("OG614", "lost-residual", Stage.MEANING)


def check(op: OpContext) -> Findings:
    if not op.spec.fallback:
        return
    ours = op.spec
    for pair in pairs(op):
        read = [a.of for a in pair.inputs.values() if a.source == "residual"]
        theirs = pair.backward.spec
        native = (name for name, each in platforms().items() if each.native)
        for platform in native if read else ():
            if platform not in theirs.platforms:
                continue
            missing = "a kernel"
            if platform in ours.platforms:
                missing = _lacking(ours, theirs, platform)
            if missing:
                yield RULE.at(
                    op.at(pair.path),
                    f"`{pair.backward.name}` has a kernel for {platform} that reads `{read[0]}`, "
                    f"also where the reference of `{op.name}` runs, for want of {missing}",
                    "give both kernels the same requirements",
                )


def _lacking(ours: OpSpec, theirs: OpSpec, platform: str) -> str:
    """Return the requirements of the forward that a call of the backward's kernel may violate.

    `ours` is the forward and `theirs` the backward. The result is empty if the forward has a kernel
    for every call that a kernel of the backward accepts.
    """
    own = [_requires(kernel) for kernel in ours.kernels_for(platform)]
    for kernel in theirs.kernels_for(platform):
        lacking = sorted((needs - _requires(kernel) for needs in own), key=len)
        if all(lacking):
            return ", ".join(sorted(lacking[0]))
    return ""


def _requires(kernel: KernelSpec) -> set[str]:
    index = ["less than 2**31 elements"] if kernel.index == "i32" else []
    return {f"`{each.condition}`" for each in kernel.require} | set(index)
