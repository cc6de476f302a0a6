"""An entry of `sharding.excuses` names no dim of the op, gives no reason, or excuses nothing.

What it does: every name in `dims` is a dim or group of a tensor's shape; `reason`
is there; the op splits something.

Why: what is excused is no longer tested, and whoever reads the table of the tests should
learn why. An op that splits nothing is never tested over devices: the `split` was forgotten.

Example:

    sharding.excuses = [{ dims = ["hed"], reason = "a head is rotated whole" }]

How to fix: correct the name; say why the op moves more; name in `sharding.split` what may be split.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean

RULE = Rule("OG514", "bad-excuse", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    known, sharding = op.splittable, op.spec.sharding
    if sharding.excuses and not (sharding.named or sharding.stages):
        message = f"`{op.name}` splits nothing: there is nothing to excuse"
        yield RULE.at(op.at(("sharding", "excuses"), "key"), message, "say `sharding.split`")
    for n, excuse in enumerate(sharding.excuses):
        path = ("sharding", "excuses", n)
        if not excuse.reason.strip():
            yield RULE.at(op.at(path), "an excuse gives a `reason`", "say why")
        for place, name in enumerate(excuse.dims or ()):
            if name not in known:
                message = f"`{name}` is no dim or group of `{op.name}`"
                yield RULE.at(op.at((*path, "dims", place)), message, did_you_mean(name, known))
