"""How an op is differentiated changed.

What it does: compares the kind of gradient, its formulas and its backward calls.

Why: training with the new gradient is not training with the old one; and a program that
differentiated may be refused now.

How to fix: raise the op's version.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.expr import text_of
from opgen.ir import Op

RULE = Rule("OG933", "gradient", "NUMERIC")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    if old.grad.kind != new.grad.kind:
        # An op that could not be differentiated breaks nothing when it can.
        if old.grad.kind != "none":
            yield (
                "grad",
            ), f"`{new.name}` had a gradient by {old.grad.kind}, and has {_kind(new)}"
        return
    was, is_ = _gradients(old), _gradients(new)
    for name in was:
        if was[name] != is_.get(name):
            yield (
                "grad",
            ), f"the gradient of `{name}` was {was[name]}, and is {is_.get(name, 'gone')}"


def _kind(op: Op) -> str:
    return "none" if op.grad.kind == "none" else f"one by {op.grad.kind}"


def _gradients(op: Op) -> dict[str, str]:
    found = {name: text_of(formula) for name, formula in op.grad.formulas}
    for call in op.grad.calls:
        found |= {name: f"{output} of {call.op}" for name, output in call.gradients}
    return found
