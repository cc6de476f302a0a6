"""A result lacks a split name and does not say how the shards are combined.

What it does: in every combination, whatever is written (outputs, residuals, updated inputs)
and lacks a name that is split has a `reduce` over it.

Why: each device computes its own part; without a reduction every one of them would hold a
different, wrong value.

Example:

    outputs.dweight = { dtype = "f32", shape = "*norm" }
    sharding.split  = ["batch"]

How to fix: `reduce = { batch = "sum" }` (or max, min, mean); `"same"` where every shard
computes the same value; for a residual, `"local"`; or do not split the name.
"""

from collections.abc import Iterator

from opgen.diagnostics import Diagnostic
from opgen.lint.rule import Rule, Stage
from opgen.lint.sharding import present_shapes, splits
from opgen.lint.subject import Subject

RULE = Rule("OG503", "missing-reduce", Stage.MEANING)


def check(op: Subject) -> Iterator[Diagnostic]:
    found = set()
    for combination in op.combinations:
        names = splits(op, combination)
        if not names:
            continue
        shapes = list(present_shapes(op, combination))
        here = frozenset().union(*(s.names for s in shapes))
        for shape in shapes:
            entry = op.scope.tensors[shape.tensor][1]
            if shape.table == "inputs" and not entry.get("update"):
                continue
            for name in names:
                missing = name in here - shape.names - {*entry.get("reduce", {})}
                if not missing or (shape.tensor, name) in found:
                    continue
                found.add((shape.tensor, name))
                words = str(combination) if len(op.combinations) > 1 else ""
                yield RULE.at(
                    op.at((shape.table, shape.tensor), "key"),
                    f"`{name}` is split, and `{shape.tensor}` lacks it {words}".rstrip(),
                    f'say how shards are combined: `reduce = {{ {name} = "sum" }}`',
                )
