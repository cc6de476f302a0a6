"""`sharding.stages` names an unsuitable dim or op.

This rule checks that every key is a dim or group of the op, and that `sharding.split` does not
name it. Every stage must be another op of the same file. A stage must not have stages, and must
not update inputs.

Why: the op's kernel needs all elements along the dim. If the dim is split, the stages compute the
results of the op instead.

Example:

    sharding.stages = { norm = ["rms_norm_squars", "rms_norm_scale"] }

How to fix: correct the name. If the kernel works on shards of the dim, remove the dim from
`stages`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean
from opgen.source.work import spend

RULE = Rule("OG511", "unknown-stage", Stage.NAMES)


def check(op: OpContext) -> Findings:
    sharding, here = op.spec.sharding, op.home.names("ops")
    known = {*here} - {op.name} if sharding.stages else set()
    spend(len(known))
    for dim, stages in sharding.stages.items():
        path = ("sharding", "stages", dim)
        if dim not in op.splittable:
            message = f"`{dim}` is no dim or group of `{op.name}`"
            yield RULE.at(op.at(path, "key"), message, did_you_mean(dim, op.splittable))
        elif dim in sharding.named:
            message = f"`{dim}` is split by the kernel itself"
            yield RULE.at(op.at(path, "key"), message, "drop its stages, or take it out of `split`")
        for n, name in enumerate(stages):
            where = op.at((*path, n))
            if name not in known:
                message = f"no other op of this file is called `{name}`"
                yield RULE.at(where, message, did_you_mean(name, sorted(known)))
            elif name in op.project.by_name and op.project.by_name[name].spec.sharding.stages:
                message = f"`{name}` has stages of its own"
                yield RULE.at(where, message, "name these in its place")
