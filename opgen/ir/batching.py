"""Which group of an op's dims a batch may join, so that `vmap` is one call of the kernel.

The dims of such a group are independent: it may be split. No size but its own follows from
it, no requirement and no default looks at it, so a call with one more dim in it is the calls
for each element of the batch. Explanations, docs and both frameworks take it from here.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.analysis import analysis
from opgen.language.expr import Call, Expr, Name
from opgen.language.expr.syntax import children
from opgen.language.shapes import Group, Shape


@analysis
def folded_group(op: Op) -> str | None:
    """The group that a batch may join in every call; None: in some, a batch is a loop.

    Every input begins with it in all its forms, or in none. It is no group of a list: the
    tensors of one have dims of their own.
    """
    for name in foldable(op):
        having = [t for t in op.inputs if any(name in s.names for s in _forms(t))]
        if (
            all(name in split for split in op.split.values())
            and all(leads(t, name) for t in (*having, *_results(op)))
            and not any(t.list for t in (*having, *op.written))
        ):
            return name
    return None


@analysis
def foldable(op: Op) -> tuple[str, ...]:
    """The groups that a batch may join in calls whose results all begin with them.

    And where the inputs that are not batched lack them: that is seen in a call.
    """
    if op.vmap != "fold":
        return ()
    tensors = (*op.inputs, *op.written)
    return tuple(
        name
        for name in sorted(op.splittable - {attr.name for attr in op.attrs})
        if any(leads(t, name) for t in op.inputs)
        and any(_may_lead(t, name) for t in _results(op))
        and all(_may_lead(t, name) or not t.always for t in _results(op))
        and not any(_inside(shape, name) for t in tensors for shape in _forms(t))
        and not any(_reads(expr, name, op) for expr in _looking(op))
    )


def leads(tensor: Tensor, group: str) -> bool:
    """Whether `tensor` begins with `*group` in all its forms."""
    return all(_leading(shape, group) for shape in _forms(tensor))


def _may_lead(tensor: Tensor, group: str) -> bool:
    """Whether it begins with `*group` in some of its forms."""
    return any(_leading(shape, group) for shape in _forms(tensor))


def _results(op: Op) -> tuple[Tensor, ...]:
    return (*op.written, *op.updated)


def _forms(tensor: Tensor) -> Iterator[Shape]:
    return (shape for forms in tensor.forms.values() for shape in forms)


def _leading(shape: Shape, group: str) -> bool:
    first = shape.terms[0] if shape.terms else None
    return isinstance(first, Group) and first.name == group


def _inside(shape: Shape, group: str) -> bool:
    """Whether a shape holds the group elsewhere than in front: it would lack the batch there."""
    if group not in shape.names:
        return False
    return group in Shape(shape.terms[_leading(shape, group) :]).names


def _looking(op: Op) -> Iterator[Expr]:
    """The expressions that may decide what a call gives, or whether it is allowed.

    What a kernel requires is not among them: it is a limit of the kernel.
    """
    yield from (value for _, value in op.dims)
    yield from (each.condition for each in op.require)
    for attr in op.attrs:
        if isinstance(attr.default, Expr):
            yield attr.default
    for tensor in (*op.inputs, *op.written):
        yield from (each for each in (tensor.init, tensor.pitch) if each is not None)


def _reads(expr: Expr, group: str, op: Op) -> bool:
    """Whether `expr` looks at the sizes in `group`, its own or those of a tensor that has it."""
    match expr:
        case Call("present", _):
            return False
        case Call("numel" | "rank" | "stride" | "len", (Name(tensor), *_)) if tensor != group:
            found = (t for t in (*op.inputs, *op.written) if t.name == tensor)
            return any(group in shape.names for t in found for shape in _forms(t))
        case Name(name):
            return name == group
    return any(_reads(child, group, op) for child in children(expr))
