"""The values in one call of the names that a spec declares: tensors, dims, attrs and dtypes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, TypeVar

import numpy as np

from opgen.ir.nodes import Attr, Gradient, Requirement, Tensor
from opgen.ir.op import Op
from opgen.ir.worlds import expanded
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, names_in
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.shapes import Group, Shape
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.testing.legal import any_legal

V = TypeVar("V")

Pairs = tuple[tuple[str, Any], ...]

# The number of tensors in each list input during a test.
LIST_LENGTH = 3
# The properties of the CPU that functions may read to compute a size.
HOST = {"arch": 0, "sms": len(os.sched_getaffinity(0))}


@dataclass(frozen=True)
class Case:
    """One call: dtypes of the free variables, sizes of dims and groups, attrs, absent arguments.

    The size of a group is a tuple. If a group may differ between the tensors of a list (`*s[i]`),
    its size is a tuple of tuples. `forms` holds the index of the chosen form (shape) for each input
    that has several.
    """

    dtypes: tuple[tuple[str, str], ...]
    sizes: Pairs
    attrs: Pairs = ()
    absent: tuple[str, ...] = ()
    forms: tuple[tuple[str, int], ...] = ()
    seed: int = 0
    rtol: float | None = field(default=None, compare=False)

    @property
    def numbers(self) -> list[int]:
        """Return the sizes of all dims, including the dims of groups."""
        return [number for _, size in self.sizes for number in numbers_in(size)]

    def __str__(self) -> str:
        parts = [dtype for _, dtype in self.dtypes]
        parts += [f"{name}{size_text(size)}" for name, size in self.sizes]
        parts += [f"{name}{size_text(value)}" for name, value in self.attrs]
        parts += [f"no_{name}" for name in self.absent]
        return "-".join(parts + [f"{name}_form{form}" for name, form in self.forms])


def numbers_in(size: Any) -> Iterator[int]:
    """Yield the numbers in the size of a dim, of a group, or of a group in each tensor of a list."""
    if isinstance(size, tuple):
        for part in size:
            yield from numbers_in(part)
    else:
        yield size


def size_text(size: object) -> str:
    """Return a size, a tuple of sizes such as `2x3`, or the value of an attr, as text."""
    return "x".join(map(size_text, size)) if isinstance(size, tuple) else str(size)


def environment(op: Op, case: Case) -> dict[str, Any]:
    """Return the value of each name that the op's spec declares.

    The value of a tensor is its shape, or None if absent. All optional results are requested. If
    the case does not fit the op, raise `Unbound` or ValueError.
    """
    values: dict[str, Any] = {**dict(case.dtypes), **dict(case.sizes)}
    values |= {a.name: a.default for a in op.attrs if has_literal(a)} | dict(case.attrs)
    for t in op.inputs:
        if t.list and t.list not in values:
            derived = dict(op.dims).get(t.list)
            values[t.list] = _length(t, case) if derived is None else evaluate(derived, values)
    values |= {t.name: () for t in op.written if t.optional}
    for tensor in op.inputs:
        if tensor.when is None:
            values[tensor.name] = None if tensor.name in case.absent else ()
    waiting = {var.name: var.expr for var in op.dtypes if not var.free}
    presence = {t.name: t.when for t in op.inputs if t.when is not None}
    waiting |= presence
    while waiting:
        name = next(n for n, e in waiting.items() if waiting.keys().isdisjoint(names_in(e)))
        value = evaluate(waiting.pop(name), values)
        values[name] = value if name not in presence else () if value else None
    known = values | HOST
    values |= {name: function(known) for name, function in op.computed.items()}
    for tensor in op.inputs:
        if values[tensor.name] is not None:
            values[tensor.name] = shape_in(op, tensor, values, case)
    for name, value in op.dims:
        values[name] = evaluate(value, values)
    for attr in op.attrs:
        if isinstance(attr.default, Expr):
            values.setdefault(attr.name, evaluate(attr.default, values))
    return values


def _length(tensor: Tensor, case: Case) -> int:
    """Return the number of tensors in a list, from the sizes of the list's dims and groups."""
    sizes = dict(case.sizes)
    own = [name for shape in tensor.shapes for name in shape.each]
    return next((len(sizes[name]) for name in own if name in sizes), LIST_LENGTH)


def has_literal(attr: Attr) -> bool:
    """Return whether the attr has a default that does not depend on sizes."""
    return not attr.required and not isinstance(attr.default, Expr)


def pick(cases: Cases[V], values: Mapping[str, Any]) -> V:
    """Return the first value of `cases` whose condition holds. `values` maps names to values."""
    for condition, value in cases.cases:
        if condition is None or evaluate(condition, values):
            return value
    raise ValueError("no case holds")


def meets(values: Mapping[str, Any], requirements: Iterable[Requirement]) -> bool:
    """Return whether a call meets all requirements. `values` maps names to values."""
    for r in requirements:
        indices = [{}] if r.each is None else [{"i": i} for i in range(values[r.each])]
        if not all(evaluate(r.condition, {**values, **index}) for index in indices):
            return False
    return True


def form_in(op: Op, tensor: Tensor, values: Mapping[str, Any], case: Case) -> Shape:
    """Return the form (shape) of `tensor` that this case uses.

    Derived dims are replaced by their expressions.
    """
    forms = pick(tensor.forms, values)
    form = forms[dict(case.forms).get(tensor.name, 0) % len(forms)]
    return expanded(form, dict(op.dims))


def shape_in(op: Op, tensor: Tensor, values: Mapping[str, Any], case: Case) -> Any:
    """Return the shape of `tensor`. For a list, return the shapes of its tensors."""
    shape = form_in(op, tensor, values, case)
    if tensor.list:
        return [_sizes(shape, values, index) for index in range(values[tensor.list])]
    return _sizes(shape, values, None)


def _sizes(shape: Shape, values: Mapping[str, Any], index: int | None) -> tuple[int, ...]:
    sizes: list[int] = []
    for term in shape.terms:
        if isinstance(term, Group):
            sizes += values[term.name][index] if term.each else values[term.name]
        else:
            sizes.append(evaluate(term.size, {**values, "i": index}))
    if any(size < 0 for size in sizes):
        raise ValueError(f"a negative size in {sizes}")
    return tuple(sizes)


def dtype_in(tensor: Tensor, values: Mapping[str, Any]) -> str:
    """Return the dtype of `tensor`. `values` is the call's `environment`."""
    name = pick(tensor.dtype, values)
    return str(values.get(name, name))


def holds(op: Op, case: Case) -> bool:
    """Return whether the case fits the op and satisfies the op's requirements."""
    try:
        values = environment(op, case)
        return meets(values, op.require) and all(
            _has_legal(tensor, values) for tensor in op.inputs if tensor.values
        )
    except (Unbound, KeyError, ValueError, ZeroDivisionError):
        return False


def gradient_of(op: Op, case: Case) -> Gradient:
    """Return the `Gradient` of the op that applies to this case."""
    return pick(op.grad, environment(op, case))


def differentiable(op: Op, case: Case) -> bool:
    """Return whether at least one result of the op has a gradient in this case."""
    values, grad = environment(op, case), gradient_of(op, case)
    if grad.kind == "none" or not meets(values, grad.require):
        return False
    return any(_has_gradient(tensor, values) for tensor in op.outputs)


def _has_gradient(tensor: Tensor, values: Mapping[str, Any]) -> bool:
    """Return whether a result is present, floating-point, and not an empty list."""
    there = tensor.when is None or evaluate(tensor.when, values)
    several = tensor.list is None or values[tensor.list] > 0
    floating = DTYPES[dtype_in(tensor, values)].kind in ("float", "complex")
    return bool(there and several and floating and tensor.differentiable)


def _has_legal(tensor: Tensor, values: Mapping[str, Any]) -> bool:
    """Return whether some number can satisfy the `values` condition of an input."""
    shape = values[tensor.name]
    if shape is None:
        return True
    condition = pick(tensor.values, values)
    dtype, shapes = dtype_in(tensor, values), shape if tensor.list else [shape]
    return all(any_legal(tensor.name, condition, values, dtype, each) for each in shapes)


def numpy_dtype(name: str) -> np.dtype:
    """Return the NumPy dtype for a dtype name of a spec. bf16 and fp8 come from ml_dtypes."""
    import ml_dtypes

    numpy_name = DTYPES[name].numpy
    return np.dtype(getattr(ml_dtypes, numpy_name, None) or numpy_name)
