"""A formula does not depend on a cotangent.

This rule checks that a formula uses the cotangent of an output (`d` and the output's name), or
is `"0"`.

Why: a gradient is linear in the cotangents. A formula without a cotangent nearly always has a
misspelt name, such as `y` instead of `dy`.

Example:

    grad.formulas = { x = "y" }

How to fix: multiply by the cotangent, or write `"0"`.
"""

from opgen.language.expr import Const, names_in
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG417", "formula-constant", Stage.MEANING, overrulable=True)


def check(op: OpContext) -> Findings:
    for site in op.sites:
        if site.sees != "formula" or site.expr in (Const(0), Const(0.0)):
            continue
        if not any(name in op.cotangents for name in names_in(site.expr)):
            known = " or ".join(f"`{c}`" for c in op.cotangents)
            yield RULE.at(
                op.at(site.path),
                f"the gradient of `{site.path[-1]}` does not depend on a cotangent",
                f'name {known}; `"0"` says that it is zero',
            )
