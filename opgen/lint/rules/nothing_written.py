"""An op without outputs that updates nothing.

What it does: an op has an output or an input with `update`.

Why: calling it would do nothing.

Example: an op with `inputs.x` only.

How to fix: add `outputs.y`, or `update = true` to the input that is written in place.
"""

from collections.abc import Iterator

from opgen.diagnostics import Diagnostic
from opgen.lint.rule import Rule, Stage
from opgen.lint.subject import Subject

RULE = Rule("OG314", "nothing-written", Stage.NAMES)


def check(op: Subject) -> Iterator[Diagnostic]:
    updated = any(entry.get("update") for _, _, entry in op.scope.entries("inputs"))
    if not op.scope.section("outputs") and not updated:
        message = f"`{op.name}` writes nothing"
        help_ = "add an output, or `update = true` to an input"
        yield RULE.at(op.at((), "key"), message, help_)
