"""The op has no reference, but `"reference"` needs one.

This rule checks that an op with `grad = "reference"`, or with `"reference"` in `kernels`, has
a `reference`. For a backward, the reference of its forward is enough.

Why: without a reference there is nothing to run or to differentiate.

Example: an op with `grad = "reference"` and no `reference`.

How to fix: write `reference = "rms_norm.py:rms_norm"`, a function in a file next to the spec.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG418", "missing-reference", Stage.MEANING)


def check(op: OpContext) -> Findings:
    if op.spec.reference is not None or op.name in op.project.referenced:
        return
    if op.project.broken or op.project.failed:
        return  # the forward may be an op with errors, whose `grad` is unknown
    help_ = f'add `reference = "{op.name}.py:{op.name}"`'
    for grad in op.spec.grad.values():
        if grad.kind == "reference":
            message = f"neither `{op.name}` nor an op whose backward it is has a reference"
            yield RULE.at(op.at(grad.path), message, help_)
    if op.spec.last is not None:
        message = f"`{op.name}` has no reference to run"
        yield RULE.at(op.at(("kernels", op.spec.last)), message, help_)
