"""`grad.backward` names an op that does not exist.

What it does: looks up every backward among the ops of all specs.

Why: differentiating would fail at the first training step.

Example:

    grad.backward = "relu_bwdd"

How to fix: correct the name; add the op; or say `grad = "reference"` until it has a kernel.
"""

from collections.abc import Iterator

from opgen.lint.expression_contexts import calls_at, grads_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean

RULE = Rule("OG401", "unknown-backward", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    project = op.project
    for _, path, grad in grads_of(op.scope):
        for place, name, _ in calls_at(path, grad):
            if name not in project.every_op and name not in project.broken:
                known = sorted(project.every_op - {op.name})
                yield RULE.at(
                    op.at(place),
                    f"no op is called `{name}`",
                    (
                        did_you_mean(name, known)
                        if len(known) < 20
                        else _near(name, known)
                    ),
                )


def _near(name: str, known: list[str]) -> str:
    help_ = did_you_mean(name, known)
    return help_ if help_.startswith("did") else "add it to a spec"
