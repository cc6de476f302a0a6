"""`"reference"` where there is none.

What it does: `grad = "reference"` and `kernels.else = "reference"` need a `reference`: the
op's own or, for a backward, that of an op whose backward it is.

Why: there is nothing to run or to differentiate.

Example: an op with `grad = "reference"` and no `reference`.

How to fix: `reference = "rms_norm.py:rms_norm"`: a function beside the spec.
"""

from collections.abc import Iterator

from opgen.lint.expression_contexts import grads_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG418", "missing-reference", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if "reference" in op.table or op.name in op.project.referenced:
        return
    if op.project.broken:
        return
    help_ = f'add `reference = "{op.name}.py:{op.name}"`'
    for _, path, grad in grads_of(op.scope):
        if grad == "reference":
            message = (
                f"neither `{op.name}` nor an op whose backward it is has a reference"
            )
            yield RULE.at(op.at(path), message, help_)
    if op.scope.section("kernels").get("else") == "reference":
        message = f"`{op.name}` has no reference to run"
        yield RULE.at(op.at(("kernels", "else")), message, help_)
