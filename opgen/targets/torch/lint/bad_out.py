"""An op with `torch.out` has results whose memory a caller cannot provide.

This rule checks ops with `torch.out = true`. Such an op must have outputs. No output may be a
list or have a `length` or a `layout`. The op must not have bundles, and must not use the name
`out`.

Why: the caller passes one tensor for each output, with the output's shape. For an absent output,
the caller passes None.

Example:

    outputs.keep = { dtype = "i64", shape = "n", length = "count" }
    torch.out    = true

How to fix: remove `torch.out`.
"""

from collections.abc import Iterator

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG615", "bad-out", Stage.NAMES)
HELP = "leave out `torch.out`"


def check(op: OpContext) -> Findings:
    if not op.spec.options["torch"]["out"]:
        return
    outputs = op.spec.outputs
    if not outputs:
        yield RULE.at(op.at(("torch", "out")), "the op has no outputs", HELP)
    for name, tensor in outputs.items():
        for what in _problems(tensor):
            message = f"`{name}` {what}: nobody can give it a tensor"
            yield RULE.at(op.at(tensor.path, "key"), message, HELP)
    if op.spec.bundles:
        message = f"`out` of `{op.name}`, which has bundles"
        yield RULE.at(op.at(("torch", "out")), message, HELP)
    for table, names in (("inputs", op.spec.inputs), ("attrs", op.spec.attrs)):
        if "out" in names:
            message = "`out` is what the results are written to"
            yield RULE.at(op.at((table, "out"), "key"), message, "rename it")


def _problems(tensor: TensorSpec) -> Iterator[str]:
    if tensor.list is not None:
        yield "is a list"
    if tensor.length is not None:
        yield "is cut to its length"
    if not tensor.dense_rows:
        yield "has a layout of its own"
