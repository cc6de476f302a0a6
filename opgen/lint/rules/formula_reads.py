"""A formula that reads what no formula may.

What it does: refuses a formula that reads a complex tensor beside the cotangent, and one over
tensors of different shapes, of which one goes by rank and has a group.

Why: PyTorch's gradients of complex numbers are the conjugates of JAX's; and which dims a group
has is not known where a formula aligns them.

Example:

    inputs.x      = { dtype = "c64", shape = "n" }
    outputs.y     = { dtype = "c64", shape = "n" }
    grad.formulas = { x = "2*x*dy" }

How to fix: write a backward op, or say `grad = "reference"`.
"""

from collections.abc import Iterator

from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in
from opgen.language.shapes import parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.op import TensorSpec

RULE = Rule("OG424", "formula-reads", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for site in op.sites:
        if site.sees != "formula":
            continue
        read = names_in(site.expr)
        if complex_ones := [name for name in read if _complex(op, name)]:
            message = f"`{complex_ones[0]}` is complex in some call"
            yield RULE.at(op.at(site.path), message, "write a backward op")
        names = (str(site.path[-1]), *(op.cotangents.get(name, name) for name in read))
        found = [op.spec.tensors[name] for name in names if name in op.spec.tensors]
        by_rank = [tensor for tensor in found if _by_rank(tensor)]
        if by_rank and any(tensor.shape != found[0].shape for tensor in found):
            message = f"`{by_rank[0].name}` has a group, and its shape goes by rank"
            help = "write a backward op, or let all tensors of the formula have one shape"
            yield RULE.at(op.at(site.path), message, help)


def _complex(op: OpContext, name: str) -> bool:
    """Whether a tensor, but no cotangent, is complex in some call."""
    dtypes = op.scope.dtypes_of(op.spec.tensors[name]) if name in op.spec.tensors else ()
    return any(DTYPES[dtype].kind == "complex" for dtype in dtypes)


def _by_rank(tensor: TensorSpec) -> bool:
    """Whether the rank of its groups decides which shape a tensor has."""
    return any(
        len(forms) > 1 and any(parse_shape(form.text).groups for form in forms)
        for forms in tensor.shape.values()
    )
