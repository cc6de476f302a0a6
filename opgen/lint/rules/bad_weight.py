"""The weight in a `mean(weight)` does not fit the mean.

This rule checks that the weight of a `mean(weight)` is another output or residual with the
mean's shape. The weight must be present in every call that computes the mean. Over the dim of the
mean, the weight's `reduce` must be `sum`.

Why: the overall mean is the weighted average of the devices' means, so each device must compute its
weight.

Example:

    outputs.loss    = { dtype = "f32", shape = "", reduce = { batch = "mean(count)" } }
    residuals.count = { dtype = "f32", shape = "" }
    sharding.split  = ["batch"]

How to fix: let the kernel write the number of elements of each mean into the weight, and add
`reduce = { batch = "sum" }` to the weight.
"""

from opgen.language.call_variants import Combination, value_of, where
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.sharding import PresentShape, Split, splits
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG510", "bad-weight", Stage.MEANING)


def check(op: OpContext) -> Findings:
    failing: dict[tuple[str, str, str, str], list[Combination]] = {}
    for split in splits(op):
        shapes = {each.tensor.name: each for each in split.shapes}
        for each in split.shapes:
            for name in split.names:
                kind = _kind(each.tensor, name, split)
                if name not in each.shape.names and kind.startswith("mean("):
                    weight = kind[len("mean(") : -1]
                    message = _complaint(each, shapes.get(weight), weight, name, split)
                    if message:
                        key = *each.tensor.path, name, message
                        failing.setdefault(key, []).append(split.combination)
    for (table, tensor, name, message), found in failing.items():
        yield RULE.at(
            op.at((table, tensor, "reduce", name), "key"),
            message + where(found, op.combinations),
            "the weight is a result of the same shape that is summed",
        )


def _kind(tensor: TensorSpec, name: str, split: Split) -> str:
    """Return the tensor's reduction over the dim `name`, such as `sum`; "" if there is none."""
    reduce = dict(tensor.reduce)
    if name not in reduce:
        return ""
    return value_of(reduce[name], split.combination.values)


def _complaint(
    mean: PresentShape, weight: PresentShape | None, called: str, name: str, split: Split
) -> str | None:
    """Return an error message if `weight` cannot weight the mean over the dim `name`, else None."""
    if weight is None or weight.tensor.table not in ("outputs", "residuals"):
        return f"`{mean.tensor.name}` is weighted by `{called}`, which is no result"
    if weight.shape != mean.shape:
        return f"`{mean.tensor.name}` is weighted by `{called}`, which has another shape"
    if _kind(weight.tensor, name, split) != "sum":
        return f"`{mean.tensor.name}` is weighted by `{called}`, which is not summed over `{name}`"
    return None
