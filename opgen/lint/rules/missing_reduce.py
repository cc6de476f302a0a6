"""A result lacks a split dim, and no `reduce` declares how to combine the devices' results.

This rule checks every output, residual and updated input in every combination of options. If
the shape lacks a dim of `sharding.split`, the tensor must have a `reduce` over this dim.

Why: each device computes only a part of the result. Without a reduction, every device would hold a
different, wrong value.

Example:

    outputs.dweight = { dtype = "f32", shape = "*norm" }
    sharding.split  = ["batch"]

How to fix: write `reduce = { batch = "sum" }` (or max, min, mean). Write `"same"` if every device
computes the same value. Write `"local"` for a residual that each device keeps for itself. Or remove
the dim from `sharding.split`.
"""

from opgen.language.call_variants import Combination, where
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.sharding import splits

RULE = Rule("OG503", "missing-reduce", Stage.MEANING)


def check(op: OpContext) -> Findings:
    failing: dict[tuple[str, str, str], list[Combination]] = {}
    for split in splits(op):
        here = {name for each in split.shapes for name in each.shape.names}
        for each in split.shapes:
            tensor = each.tensor
            if tensor.table == "inputs" and not tensor.updated:
                continue
            for name in split.names:
                if name in here and name not in (*each.shape.names, *dict(tensor.reduce)):
                    key = (*tensor.path, name)
                    failing.setdefault(key, []).append(split.combination)
    for (table, of, name), found in failing.items():
        yield RULE.at(
            op.at((table, of), "key"),
            f"`{name}` is split, and `{of}` lacks it{where(found, op.combinations)}",
            _help(op, of, name),
        )


def _help(op: OpContext, of: str, name: str) -> str:
    element = op.element(of).rstrip("?")
    placed = [kind for _, each in op.spec.tensors[of].reduce for _, kind in each.placed()]
    kinds = [*(kind for kind in placed if kind != "same"), *["max"] * (element == "bool")]
    if kinds or element == "float":
        return (
            f'say how shards are combined: `reduce = {{ {name} = "{[*kinds, "sum"][0]}" }}`, '
            'or `"same"` where each shard finds the same'
        )
    return (  # integers: summing indices is wrong, and a count may already be global
        f'`reduce = {{ {name} = "sum" }}` for a count of each shard\'s own, `"same"` where each shard'
        f" finds the same; else leave `{name}` out of `sharding.split`"
    )
