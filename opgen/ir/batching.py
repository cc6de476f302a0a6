"""Find the group of dims that can take a batch axis, so that `vmap` is a single kernel call.

A group such as `*batch` stands for any number of dims. A group can take a batch axis if the spec
allows splitting the group, so that the elements along it are independent. In addition, no other
size, requirement or default may depend on the group. Then one call with an additional dim in the
group returns the same results as one call for each element of the batch. The targets for PyTorch
and JAX, the rendered docs and `opgen explain` use this module.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.analysis import analysis
from opgen.language.expr import Call, Expr, Name
from opgen.language.expr.syntax import children
from opgen.language.shapes import Group, Shape
from opgen.spec.models.tensors import EXPRESSIONS


@analysis
def folded_group(op: Op) -> str | None:
    """Return the group that can take a batch axis in every call; None if some calls need a loop.

    Each input must start with the group in all of its possible shapes, or contain the group in none
    of them. No tensor with the group may be a list, because each tensor of a list has separate
    dims.
    """
    for name in foldable(op):
        having = [t for t in op.inputs if any(name in s.names for s in t.shapes)]
        if (
            all(name in split for split in op.split.values())
            and all(leads(t, name) for t in (*having, *_results(op)))
            and not any(t.list for t in (*having, *op.written))
        ):
            return name
    return None


@analysis
def foldable(op: Op) -> tuple[str, ...]:
    """Return each group that can take a batch axis in those calls whose results all start with the
    group.

    For each call, the caller must check that all results start with the group, and that no input
    without a batch axis contains the group.
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
        and not any(_inside(shape, name) for t in tensors for shape in t.shapes)
        and not any(_reads(expr, name, op) for expr in _looking(op))
    )


def leads(tensor: Tensor, group: str) -> bool:
    """Return whether all possible shapes of `tensor` start with `*group`."""
    return all(_leading(shape, group) for shape in tensor.shapes)


def _may_lead(tensor: Tensor, group: str) -> bool:
    """Return whether some possible shape of `tensor` starts with `*group`."""
    return any(_leading(shape, group) for shape in tensor.shapes)


def _results(op: Op) -> tuple[Tensor, ...]:
    return (*op.written, *op.updated)


def _leading(shape: Shape, group: str) -> bool:
    first = shape.terms[0] if shape.terms else None
    return isinstance(first, Group) and first.name == group


def _inside(shape: Shape, group: str) -> bool:
    """Return whether a shape contains the group anywhere but at its start.

    `vmap` adds a batch axis only at the front of a shape, so it cannot extend such a group.
    """
    if group not in shape.names:
        return False
    return group in Shape(shape.terms[_leading(shape, group) :]).names


def _looking(op: Op) -> Iterator[Expr]:
    """Yield the expressions that may affect the results of a call, or that may reject the call.

    Requirements of kernels are not included, because they only limit the choice of kernel.
    """
    yield from (value for _, value in op.dims)
    yield from (each.condition for each in op.require)
    for attr in op.attrs:
        if isinstance(attr.default, Expr):
            yield attr.default
    for tensor in (*op.inputs, *op.written):
        yield from (each for name in EXPRESSIONS if (each := getattr(tensor, name)) is not None)


def _reads(expr: Expr, group: str, op: Op) -> bool:
    """Return whether `expr` reads the sizes in `group`, or the sizes of a tensor with the group."""
    match expr:
        case Call("present", _):
            return False
        case Call("numel" | "rank" | "stride" | "len", (Name(tensor), *_)) if tensor != group:
            found = (t for t in (*op.inputs, *op.written) if t.name == tensor)
            return any(group in shape.names for t in found for shape in t.shapes)
        case Name(name):
            return name == group
    return any(_reads(child, group, op) for child in children(expr))
