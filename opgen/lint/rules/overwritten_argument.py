"""A gradient reads an input that the op overwrites.

This rule rejects formulas and backwards' arguments that read an input with `update`.

Why: when the gradient is computed, the input's old value no longer exists. In JAX another array may
have reused the input's buffer.

Example:

    inputs.r      = { dtype = "T", shape = "*s", update = true }
    grad.formulas = { x = "dy*r" }

How to fix: save the old value as a residual: `residuals.r_before`.
"""

from opgen.language.expr import names_in
from opgen.lint.expression_contexts import span_of
from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where

RULE = Rule("OG421", "overwritten-argument", Stage.MEANING)


def check(op: OpContext) -> Findings:
    updated = [n for n, tensor in op.spec.inputs.items() if tensor.updated]
    for name in updated:
        for site in op.sites:
            if site.sees == "formula" and name in names_in(site.expr):
                where = span_of(op, site, name)
                yield _refuse(name, where)
        for pair in pairs(op):
            for argument, given in pair.inputs.items():
                if given.source == "input" and given.of == name:
                    yield _refuse(name, pair.place(argument))


def _refuse(name: str, where: Where) -> Diagnostic:
    message = f"the gradient reads `{name}`, which the op has overwritten"
    return RULE.at(where, message, "keep what is needed as a residual")
