"""A formula reads a tensor that no formula may read.

This rule rejects a gradient formula that reads a complex tensor other than the cotangent. If
the tensors of a formula have different shapes, none of them may have a list of shapes that contains
a group.

Why: PyTorch's complex gradients are the conjugates of JAX's. If a tensor has a list of shapes, the
dims of its groups are not known when opgen aligns the tensors.

Example:

    inputs.x      = { dtype = "c64", shape = "n" }
    outputs.y     = { dtype = "c64", shape = "n" }
    grad.formulas = { x = "2*x*dy" }

How to fix: write a backward op, or `grad = "reference"`.
"""

from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in
from opgen.language.shapes import parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG424", "formula-reads", Stage.MEANING)


def check(op: OpContext) -> Findings:
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
        if by_rank and any(tensor.forms != found[0].forms for tensor in found):
            message = f"`{by_rank[0].name}` has a group, and its shape goes by rank"
            help = "write a backward op, or let all tensors of the formula have one shape"
            yield RULE.at(op.at(site.path), message, help)


def _complex(op: OpContext, name: str) -> bool:
    """Return whether `name` is a tensor with a complex dtype in some call; False for cotangents."""
    dtypes = op.scope.dtypes_of(op.spec.tensors[name]) if name in op.spec.tensors else ()
    return any(DTYPES[dtype].kind == "complex" for dtype in dtypes)


def _by_rank(tensor: TensorSpec) -> bool:
    """Return whether the tensor has several forms, at least one of which has a group."""
    return any(
        len(forms) > 1 and any(parse_shape(form.text).groups for form in forms)
        for forms in tensor.forms.values()
    )
