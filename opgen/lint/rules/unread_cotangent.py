"""No gradient reads the cotangent of an output.

This rule looks for the cotangent of each floating output in the formulas and in the arguments
of the backwards. OG417 and OG423 report gradients that read no cotangent at all.

Why: a loss that depends on this output alone gets a gradient of zeros. A loss that also depends on
other outputs gets a wrong gradient, without an error.

Example:

    [ops.softcap]
    outputs.y     = { dtype = "T", shape = "*s" }
    outputs.total = { dtype = "T", shape = "", reduce = { s = "sum" } }
    grad.formulas = { x = "dy" }

How to fix: use `dtotal` in the formula. If the output needs no gradient, write
`differentiable = false`.
"""

from opgen.language.expr import names_in
from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG425", "unread-cotangent", Stage.MEANING, overrulable=True)


def check(op: OpContext) -> Findings:
    expressions = [site.expr for site in op.sites if site.sees == "formula"]
    given = [argument for pair in pairs(op) for argument in pair.inputs.values()]
    expressions += [argument.expr for argument in given if argument.expr is not None]
    read = {argument.of for argument in given if argument.source == "cotangent"}
    read |= {op.cotangents[n] for e in expressions for n in names_in(e) if n in op.cotangents}
    for name, tensor in op.spec.outputs.items() if read else ():
        if op.floating(name) and tensor.differentiable and name not in read:
            yield RULE.at(
                op.at(("outputs", name)),
                f"no gradient reads `d{name}`, the cotangent of `{name}`",
                "read it, or say `differentiable = false`",
            )
