"""`grad.backward` names an op that does not exist.

This rule looks up every backward among the ops of all specs.

Why: differentiating would fail at the first training step.

Example:

    grad.backward = "relu_bwdd"

How to fix: correct the name, or add the op. Until the backward has a kernel, write
`grad = "reference"`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG401", "unknown-backward", Stage.NAMES)


def check(op: OpContext) -> Findings:
    project = op.project
    for call in op.spec.calls:
        name = call.op
        if name not in project.every_op and name not in project.broken:
            known = sorted(project.every_op - {op.name})
            help_ = (did_you_mean if len(known) < 20 else _near)(name, known)
            yield RULE.at(op.at(call.path), f"no op is called `{name}`", help_)


def _near(name: str, known: list[str]) -> str:
    help_ = did_you_mean(name, known)
    return help_ if help_.startswith("did") else "add it to a spec"
