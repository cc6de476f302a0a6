"""The weight in a `mean(weight)` or `sum_exp(weight)` does not fit the result.

This rule checks that the weight is another output or residual with the result's shape. The
weight must be present in every call that computes the result. Over the same dim, the weight's
`reduce` must be `sum` for a `mean(weight)`, and `max` for a `sum_exp(weight)`, which also
must be floating.

Why: the overall mean is the weighted average of the devices' means, so each device must compute its
weight. Likewise, a sum of exponentials that are relative to a device's maximum needs this maximum.

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
from opgen.spec.models.strings import kind_and_weight
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG510", "bad-weight", Stage.MEANING)

# For each weighted reduction: the `reduce` of its weight, and words for it.
WEIGHTS = {"mean": ("sum", "summed"), "sum_exp": ("max", "reduced by `max`")}


def check(op: OpContext) -> Findings:
    failing: dict[tuple[str, str, str, str, str], list[Combination]] = {}
    for split in splits(op):
        shapes = {each.tensor.name: each for each in split.shapes}
        for each in split.shapes:
            for name in split.names if each.tensor.reduce else ():
                kind, weight = kind_and_weight(_kind(each.tensor, name, split))
                if name not in each.shape.names and weight:
                    message = _complaint(op, each, shapes.get(weight), weight, name, split)
                    if message:
                        key = *each.tensor.path, name, kind, message
                        failing.setdefault(key, []).append(split.combination)
    for (table, tensor, name, kind, message), found in failing.items():
        yield RULE.at(
            op.at((table, tensor, "reduce", name), "key"),
            message + where(found, op.combinations),
            f"the weight is a result of the same shape that is {WEIGHTS[kind][1]}",
        )


def _kind(tensor: TensorSpec, name: str, split: Split) -> str:
    """Return the tensor's reduction over the dim `name`, such as `sum`; "" if there is none."""
    reduce = dict(tensor.reduce)
    if name not in reduce:
        return ""
    return value_of(reduce[name], split.combination.values)


def _complaint(
    op: OpContext,
    result: PresentShape,
    weight: PresentShape | None,
    called: str,
    name: str,
    split: Split,
) -> str | None:
    """Return an error message if `weight` does not fit a result's reduction over the dim `name`."""
    if weight is None or weight.tensor.table not in ("outputs", "residuals"):
        return f"`{result.tensor.name}` is weighted by `{called}`, which is no result"
    if weight.shape != result.shape:
        return f"`{result.tensor.name}` is weighted by `{called}`, which has another shape"
    needed, words = WEIGHTS[kind_and_weight(_kind(result.tensor, name, split))[0]]
    if _kind(weight.tensor, name, split) != needed:
        return (
            f"`{result.tensor.name}` is weighted by `{called}`, which is not {words} over `{name}`"
        )
    if needed == "max" and not op.floating(called):
        return f"`{result.tensor.name}` is weighted by `{called}`, which is never floating"
    allowed = ({f"sum_exp({called})", "max"}, {"same"}, {""})  # OG503 reports a missing `reduce`
    for other in split.names if needed == "max" else ():
        both = {_kind(each.tensor, other, split) for each in (result, weight)}
        if other not in result.shape.names and both not in allowed:
            return (
                f"`{result.tensor.name}` needs the largest `{called}` over `{other}`, "
                f"so both need the same `reduce` over `{other}` as over `{name}`"
            )
    return None
