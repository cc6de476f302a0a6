"""`begin` is on an input that cannot hold the index at which a shard of a dim starts.

This rule checks that an input with `begin` is an `i64` scalar that is always present and never
updated. `begin` must name a dim, not a group. In the shape of another input or of an output, the
dim must be a separate term, such as `c`. Expressions such as `2*c` do not count.

Why: if the dim is split over devices, every device adds the start index of its part to the input.

Example:

    inputs.logits  = { dtype = "T", shape = "*batch c" }
    inputs.first   = { dtype = "i32", shape = "", begin = "c" }

How to fix: write `dtype = "i64", shape = ""`, and the name of a dim.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG513", "bad-begin", Stage.TYPES)


def check(op: OpContext) -> Findings:
    for name, tensor in op.spec.tensors.items():
        dim, path = tensor.begin, (*tensor.path, "begin")
        if dim is None:
            continue
        if tensor.table != "inputs":
            message = f"`{name}` is no input: nobody tells it where `{dim}` begins"
            yield RULE.at(op.at(path, "key"), message, "`begin` belongs to an input")
        elif not tensor.scalar_index:
            message = f"`{name}` cannot hold where `{dim}` begins"
            yield RULE.at(
                op.at(path, "key"),
                message,
                'it is `{ dtype = "i64", shape = "" }`, in every call and only read',
            )
        else:
            known = sorted(_alone(op))
            if dim not in known:
                message = f"`{dim}` is no dim that is alone in an input or an output"
                yield RULE.at(op.at(path), message, did_you_mean(dim, known))


def _alone(op: OpContext) -> set[str]:
    """Return the dims that are a separate term, not part of an expression, in some shape.

    Only the shapes of inputs and outputs count.
    """
    tensors = (*op.spec.inputs.values(), *op.spec.outputs.values())
    texts = (form.text for tensor in tensors for form in tensor.texts)
    return {word for text in texts for word in text.split() if word.isidentifier()}
