"""The group of dims that a batch may join, so that `vmap` is a single kernel call.

The dims of such a group are independent, because the group may be split. No other size, requirement
or default depends on the group. So a call with one more dim in the group equals the calls for each
element of the batch. Explanations, docs and both frameworks use this module.
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
    """Return the group that a batch may join in every call; None if some batches need a loop.

    Every input starts with the group in all its forms, or in none. The group must not belong to a
    list, because each tensor of a list has separate dims.
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
    """Return the groups that a batch may join if all results of the call start with them.

    The inputs without a batch must not contain these groups. Only the call itself can show this.
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
    """Return whether `tensor` starts with `*group` in all its forms."""
    return all(_leading(shape, group) for shape in _forms(tensor))


def _may_lead(tensor: Tensor, group: str) -> bool:
    """Return whether `tensor` starts with `*group` in some of its forms."""
    return any(_leading(shape, group) for shape in _forms(tensor))


def _results(op: Op) -> tuple[Tensor, ...]:
    return (*op.written, *op.updated)


def _forms(tensor: Tensor) -> Iterator[Shape]:
    return (shape for forms in tensor.forms.values() for shape in forms)


def _leading(shape: Shape, group: str) -> bool:
    first = shape.terms[0] if shape.terms else None
    return isinstance(first, Group) and first.name == group


def _inside(shape: Shape, group: str) -> bool:
    """Return whether a shape contains the group after its front, where no batch dim would be added."""
    if group not in shape.names:
        return False
    return group in Shape(shape.terms[_leading(shape, group) :]).names


def _looking(op: Op) -> Iterator[Expr]:
    """Yield the expressions that may decide the results of a call, or whether it is allowed.

    Requirements of kernels do not count, because they only limit the kernel.
    """
    yield from (value for _, value in op.dims)
    yield from (each.condition for each in op.require)
    for attr in op.attrs:
        if isinstance(attr.default, Expr):
            yield attr.default
    for tensor in (*op.inputs, *op.written):
        yield from () if tensor.init is None else (tensor.init,)


def _reads(expr: Expr, group: str, op: Op) -> bool:
    """Return whether `expr` reads the sizes in `group`, or the sizes of a tensor with the group."""
    match expr:
        case Call("present", _):
            return False
        case Call("numel" | "rank" | "stride" | "len", (Name(tensor), *_)) if tensor != group:
            found = (t for t in (*op.inputs, *op.written) if t.name == tensor)
            return any(group in shape.names for t in found for shape in _forms(t))
        case Name(name):
            return name == group
    return any(_reads(child, group, op) for child in children(expr))
