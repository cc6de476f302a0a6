"""A backward does not compute a gradient of its forward.

This rule checks that at least one output of the backward is a gradient. The name of the output
must be `d` and an input's name, or `grads` must name the output.

Why: the backward would run without an effect.

Example: `grad.backward = "rotary"` in `rotary`, whose outputs are `q_out` and `k_out`.

How to fix: write `grads = { q = "q_out", k = "k_out" }`.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG410", "no-gradient", Stage.TYPES)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        if not pair.gradients:
            outputs = list(pair.backward.spec.outputs) or ["..."]
            primal = next(iter(op.spec.inputs), "x")
            yield RULE.at(
                op.at(pair.path),
                f"`{pair.backward.name}` gives no gradient of `{op.name}`",
                f'say which result is which: `grads = {{ {primal} = "{outputs[0]}" }}`',
            )
