"""A unit for a name that is not split.

What it does: every key of `sharding.unit` is one of `sharding.split`, and a dim: a group has
no multiples.

Why: a unit says in what multiples a dim may be cut.

Example:

    sharding.split = ["m"]
    sharding.unit  = { k = 128 }

How to fix: add the name to `split`, or drop the unit.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean

RULE = Rule("OG505", "bad-unit", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    split = [n for names in op.spec.sharding.split.values() for n in names]
    for name in op.spec.sharding.unit:
        where = op.at(("sharding", "unit", name), "key")
        if name not in split:
            message = f"`{name}` has a unit, but is not in `split`"
            yield RULE.at(where, message, _help(op, name, split))
        elif op.types.get(name) == "ints":
            message = f"`{name}` is a group of dims: a unit is for one dim"
            yield RULE.at(where, message, "give the dim that has the unit a name of its own")


def _help(op: OpContext, name: str, split: list[str]) -> str:
    if name in op.splittable:
        return f'add it: `split = ["{name}"]`, or drop the unit'
    return did_you_mean(name, split) if split else "drop the unit"
