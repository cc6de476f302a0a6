"""An op lacks something that every op must say.

What it does: checks, once `like` has been followed, that an op has `doc`, `grad`,
`sharding` and `kernels`, that every tensor has a `dtype` and a `shape`, every attr a
`type`, every descriptor field a `type` and a `value`, every backward call an `op`.

Why: what an op does when it is differentiated, sharded or run elsewhere is said out loud,
never guessed.

Example: an op without `sharding`.

How to fix: write the key. `grad = "none"` and `sharding = "replicate"` are answers too.
"""

from collections.abc import Iterator

from opgen.lint.expression_contexts import calls_at, grads_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG101", "required-key", Stage.STRUCTURE)

OF_AN_OP = {
    "doc": 'say what it computes: `doc = "Elementwise `-x`."`',
    "grad": 'name its `backward` or `formulas`, or say `grad = "none"`',
    "sharding": 'name what may be split, or say `sharding = "replicate"`',
    "kernels": 'name the platforms that have one: `kernels = ["cpu"]`',
}
BELOW = {"attrs": ("type",), "descriptor": ("type", "value")}


def check(op: OpContext) -> Iterator[Diagnostic]:
    for key, help_ in OF_AN_OP.items():
        if key not in op.table:
            yield RULE.at(op.at((key,)), f"`{op.name}` has no `{key}`", help_)
    for table, name, entry in op.scope.entries():
        yield from _lacking(op, (table, name), entry, ("dtype", "shape"))
    for table, keys in BELOW.items():
        for name, entry in op.scope.section(table).items():
            yield from _lacking(op, (table, name), entry, keys)
    for _, path, grad in grads_of(op.scope):
        for place, _, call in calls_at(path, grad):
            yield from _lacking(op, place[:-1], call, ("op",))
        formulas = grad.get("formulas", {}) if isinstance(grad, dict) else {}
        if not isinstance(formulas, dict) or any(isinstance(f, dict) for f in formulas.values()):  # fmt: skip
            where = op.at((*path, "formulas"), "key")
            yield RULE.at(where, "`formulas` has no formula for an input", 'write `grad.formulas = { x = "dy" }`')  # fmt: skip
        if isinstance(grad, dict) and not {"formulas", "backward"} & set(grad):
            yield RULE.at(
                op.at(path), "`grad` has neither `backward` nor `formulas`", OF_AN_OP["grad"]  # fmt: skip
            )


def _lacking(
    op: OpContext, path: tuple, entry: dict, keys: tuple
) -> Iterator[Diagnostic]:
    for key in keys:
        if key not in entry:
            message = f"`{path[-1]}` has no `{key}`"
            yield RULE.at(op.at((*path, key)), message, f"add `{key}`")
