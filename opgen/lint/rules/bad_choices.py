"""The `choices` of an attr do not have the attr's type.

This rule checks that `choices` lists different values of the attr's type, or of its elements'
type. A bool must not have `choices`.

Why: C++ receives the position of a value in `choices`, so every value must be listed once.

Example:

    attrs.block = { type = "int", choices = [64, "128"] }

How to fix: write every choice once, in the attr's type.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG312", "bad-choices", Stage.NAMES)
CHOSEN = ("int", "float", "str", "dtype")


def check(op: OpContext) -> Findings:
    for name, attr in op.spec.attrs.items():
        choices = attr.choices
        if choices is None:
            continue
        path = ("attrs", name, "choices")
        if not choices or attr.element not in CHOSEN:
            message = (
                f"a {attr.element} has no choices" if choices else "there is nothing to choose"
            )
            yield RULE.at(op.at(path), message, "leave `choices` out")
            continue
        for n, choice in enumerate(choices):
            where = op.at((*path, n))
            if not attr.kind.literal(choice):
                message = f"the choice `{choice}` is no {attr.element}"
                yield RULE.at(where, message, f"`{name}` is of type {attr.type}")
            elif choice in choices[:n]:
                yield RULE.at(where, f"`{choice}` is listed twice", "leave one out")
