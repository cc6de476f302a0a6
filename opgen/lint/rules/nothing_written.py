"""A call of the op would write nothing.

What it does: in every combination of presence, enums, bools and dtypes, some output is there
or some input is updated.

Why: such a call would do nothing.

Example: an op with `inputs.x` only; or one whose only output has a `when`.

How to fix: add an output, or `update = true` to the input that is written in place; or refuse
the call with `require`.
"""

from collections.abc import Iterator

from opgen.language.call_variants import Combination, case_of, where
from opgen.language.scope import cases_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG314", "nothing-written", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if any("when" not in entry for _, _, entry in op.scope.entries("outputs")):
        return
    idle = [c for c in op.combinations if not _writes(op, c)]
    if idle:
        message = f"`{op.name}` writes nothing{where(idle, op.combinations)}"
        help_ = "add an output, or `update = true` to an input"
        yield RULE.at(op.at((), "key"), message, help_)


def _writes(op: OpContext, combination: Combination) -> bool:
    for _, name, entry in op.scope.entries("outputs"):
        if combination.present(name) or entry.get("optional"):
            return True
    for _, name, entry in op.scope.entries("inputs"):
        update = entry.get("update", False)
        held = cases_of(update)[case_of(update, combination.values)][1]
        if held and combination.present(name):
            return True
    return False
