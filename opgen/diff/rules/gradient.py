"""The gradient of an op changed.

This rule compares the kind of gradient, its formulas and its backward calls.

Why: training with the new gradient gives different results. If the op no longer has a gradient, a
program that computes gradients is rejected.

How to fix: keep the gradient, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op
from opgen.language.expr import text_of

RULE = Rule("OG933", "gradient", "NUMERIC")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    path = ("grad",)
    if _kinds(old) != _kinds(new):
        # It is not a break if an op becomes differentiable.
        if any(gradient.kind != "none" for gradient in old.grad.values()):
            yield path, f"`{new.name}` had {_kind(old)}, and has {_kind(new)}"
        return
    was, is_ = _gradients(old), _gradients(new)
    for name in was:
        if was[name] != is_.get(name):
            yield path, f"the gradient of `{name}` was {was[name]}, and is {is_.get(name, 'gone')}"


def _kinds(op: Op) -> list[tuple[str, str]]:
    """Return a pair (condition, kind of gradient) for each case of the op's gradient."""
    return [
        ("" if condition is None else text_of(condition), gradient.kind)
        for condition, gradient in op.grad.cases
    ]


def _kind(op: Op) -> str:
    if not op.grad.plain:
        return f"a gradient by {len(op.grad.cases)} cases"
    kind = op.grad.only.kind
    return "no gradient" if kind == "none" else f"a gradient by {kind}"


def _gradients(op: Op) -> dict[str, str]:
    """Describe how each gradient is computed: by a formula, or as an output of a backward.

    The keys of the result are names of inputs. If the gradients depend on cases, each key also has
    the index of the case.
    """
    found = {}
    for number, gradient in enumerate(op.grad.values()):
        case = "" if op.grad.plain else f" in case {number}"
        for name, formula in gradient.formulas:
            found[f"{name}{case}"] = text_of(formula)
        for call in gradient.calls:
            for name, output in call.gradients:
                found[f"{name}{case}"] = f"{output} of {call.op}"
    return found
