"""A floating input has no gradient, and no `differentiable = false`.

This rule checks ops with formulas or backwards. Every read-only input that may be floating must
get its gradient from a formula or a backward, in every combination of options, or have
`differentiable = false`.

Why: a missing gradient would count as zero.

Example:

    inputs.cos_sin = { dtype = "C", shape = "p 2*r" }

where the backward does not compute `dcos_sin`.

How to fix: compute `dcos_sin` in the backward. If the gradient is zero, write
`grad.formulas = { cos_sin = "0" }`. Or write `differentiable = false`; asking for the gradient
then raises an error.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.simulated_calls import troubles

RULE = Rule("OG414", "missing-gradient", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for grad in op.spec.grad.values():
        here = [pair for pair in pairs(op) if pair.grad is grad]
        if grad.kind != "rules" or len(here) < len(grad.calls):
            continue
        given = {*grad.formulas} | {p for pair in here for p, _ in pair.gradients}
        for name, tensor in op.spec.inputs.items():
            if name not in given and op.differentiable(name):
                yield RULE.at(
                    op.at(tensor.path, "key"),
                    f"`{name}` is floating, but nothing gives its gradient",
                    "let a backward or a formula give it, or say `differentiable = false`",
                )
        for pair in here:
            for trouble in troubles(pair):
                if trouble.kind == "absent-gradient":
                    yield RULE.at(
                        pair.place(trouble.name),
                        f"a gradient is missing: in `{pair.backward.name}`, {trouble.message}",
                        "let it be there whenever its primal is",
                    )
