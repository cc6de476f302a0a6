"""An `init` that the tensor's dtype cannot hold, or that nothing draws.

What it does: a tensor of an integer dtype is initialised by an int, an unsigned one not by
a negative constant. First values that are drawn (`init = { normal = "1" }`) are those of a
parameter of a module; its `zero` names an attr of type `int`.

Why: nothing is cast behind anyone's back. A kernel starts from one value, and draws none.

Example:

    workspace.counts = { dtype = "i32", shape = "n", init = "0.5" }

How to fix: write a value of the dtype; give the op a module (`torch.module`, `jax.module`).
"""

from collections.abc import Iterator

from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const
from opgen.language.expr.types import type_of
from opgen.language.shapes import Group, parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean
from opgen.spec.extensions import targets_with
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG306", "bad-init", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for tensor in op.spec.tensors.values():
        if tensor.drawn:
            yield from _drawn(op, tensor)
    for site in op.sites:
        if site.path[-1] != "init" or len(site.path) != 3:
            continue
        name = str(site.path[1])
        kinds = {DTYPES[d].kind for d in op.scope.dtypes_of(op.spec.tensors[name])}
        found = type_of(site.expr, lambda n: op.lookup(site, n))
        value = site.expr.value if isinstance(site.expr, Const) else 0
        negative = isinstance(value, int | float) and value < 0
        if found == "float" and kinds & {"int", "uint"}:
            message = f"`{name}` holds ints, `{site.text}` is a float"
            yield RULE.at(op.at(site.path), message, "write an int")
        elif negative and "uint" in kinds:
            message = f"`{name}` is unsigned and cannot hold `{site.text}`"
            yield RULE.at(op.at(site.path), message, "choose a signed dtype")


def _drawn(op: OpContext, tensor: TensorSpec) -> Iterator[Diagnostic]:
    """Faults of first values that are drawn."""
    where = op.at((*tensor.path, "init"), "key")
    modules = any(options["module"] for options in op.spec.options.values())
    if tensor.table != "inputs" or not modules:
        message = f"nothing draws the first values of `{tensor.name}`"
        keys = [f"`{name}.module`" for name in sorted(targets_with("module"), reverse=True)]
        help = f"write a value, or make it a parameter of a module: {', '.join(keys)}"
        yield RULE.at(where, message, help)
    if tensor.zero is None:
        return
    ints = [name for name, attr in op.spec.attrs.items() if attr.type == "int"]
    terms = parse_shape(tensor.one_shape or "").terms
    if tensor.zero not in ints:
        message = f"`{tensor.zero}` is no attr of type `int`"
        help = did_you_mean(tensor.zero, ints)
        yield RULE.at(op.at((*tensor.path, "init", "zero")), message, help)
    elif not terms or isinstance(terms[0], Group):
        message = f"`{tensor.name}` has no first dim, of which an element could be zero"
        yield RULE.at(op.at((*tensor.path, "init", "zero")), message, "leave out `zero`")
