"""No gradient reads a residual.

This rule warns about unused residuals. A residual is used if a backward or a formula of the op
reads it. It is also used if it is the weight in a reduction (`reduce = { n = "mean(count)" }`).

Why: the kernel computes and writes a value that nothing uses.

Example: `residuals.mean` in an op with `grad = "none"`.

How to fix: remove the residual, or read it in the backward.
"""

from opgen.language.expr import names_in
from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Severity
from opgen.spec.models.strings import kind_and_weight

RULE = Rule("OG420", "unread-residual", Stage.MEANING, severity=Severity.WARNING)


def check(op: OpContext) -> Findings:
    if not op.spec.residuals or len(pairs(op)) < len(op.spec.calls):
        return
    read = {a.of for p in pairs(op) for a in p.inputs.values() if a.source == "residual"}
    for site in op.sites:
        read |= set(names_in(site.expr)) if site.sees == "formula" else set()
    for tensor in op.spec.tensors.values():
        kinds = (kind for _, reduction in tensor.reduce for kind in reduction.values())
        read |= {weight for _, weight in map(kind_and_weight, kinds)}
    for name, tensor in op.spec.residuals.items():
        if name not in read:
            message = f"no gradient of `{op.name}` reads the residual `{name}`"
            yield RULE.at(op.at(tensor.path, "key"), message, "drop it")
