"""`sharding.split` names a dim twice.

This rule compares the names in `sharding.split`.

Why: the second entry has no effect.

Example:

    sharding.split = ["batch", "batch"]

How to fix: remove one of them.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG507", "duplicate-split", Stage.NAMES, overrulable=True)


def check(op: OpContext) -> Findings:
    for key, names in op.spec.sharding.split.placed():
        for n, name in enumerate(names):
            if name in names[:n]:
                where = op.at(("sharding", "split", *key, n))
                yield RULE.at(where, f"`{name}` is split twice", "leave one out")
