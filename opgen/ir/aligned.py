"""Split the cases of a gradient, so that each tensor has one known shape in each case.

A case is a condition with a value. A formula aligns (broadcasts) tensors by the names of their
dims. So opgen must know the shape of each tensor in the formula.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from opgen.ir.nodes import Gradient, Tensor
from opgen.language.expr import Bool, Call, Compare, Const, Expr, Name, Unary, names_in
from opgen.language.shapes import Shape
from opgen.spec.cases import Cases

# A condition (None means always), and the shape of each tensor if the condition holds.
Way = tuple[Expr | None, dict[str, Shape]]


def by_shape(grad: Cases[Gradient], tensors: Sequence[Tensor]) -> Cases[Gradient]:
    """Split each case of a gradient in which a formula would align a tensor with several possible
    shapes.

    `tensors` are the inputs, outputs and residuals (values saved for the backward) of the op.
    """
    found: list[tuple[Expr | None, Gradient]] = []
    for condition, gradient in grad.cases:
        split = [_ways(tensor) for tensor in _aligned(gradient, tensors)]
        for ways in _product(split):
            conditions = [c for c, _ in ways if c is not None]
            shapes = {name: shape for _, given in ways for name, shape in given.items()}
            every = [*([condition] if condition is not None else []), *conditions]
            found.append((_all(every), replace(gradient, shapes=tuple(shapes.items()))))
    if grad.cases[-1:] and grad.cases[-1][0] is None:
        found[-1] = (None, found[-1][1])  # all other calls
    return Cases(tuple(found), grad.by_table)


def _aligned(gradient: Gradient, tensors: Sequence[Tensor]) -> Iterator[Tensor]:
    """Yield each tensor with several possible shapes that a formula combines with differently
    shaped ones.
    """
    named = {t.name: t for t in tensors}
    named |= {f"d{t.name}": t for t in tensors if t.role == "output"}
    found: dict[str, Tensor] = {}
    for primal, formula in gradient.formulas:
        together = [named[n] for n in (primal, *names_in(formula)) if n in named]
        if any(t.forms != together[0].forms for t in together):
            found |= {t.name: t for t in together if not _plain(t)}
    yield from found.values()


def _plain(tensor: Tensor) -> bool:
    return len(tensor.forms.cases) == 1 and len(tensor.forms.cases[0][1]) == 1


def _ways(tensor: Tensor) -> list[Way]:
    """Return each possible shape of a tensor, with the condition under which it has this shape."""
    found: list[Way] = []
    others = [c for c, _ in tensor.forms.cases if c is not None]
    for condition, forms in tensor.forms.cases:
        where = [condition] if condition is not None else [Unary("not", c) for c in others]
        for shape in forms:
            ranked = [_ranked(tensor, shape)] if len(forms) > 1 else []
            found.append((_all([*where, *ranked]), {tensor.name: shape}))
    return found


def _ranked(tensor: Tensor, shape: Shape) -> Expr:
    """Return the condition that `tensor` is present and has the rank of `shape`.

    `shape` must not contain a group such as `*batch`.
    """
    rank = Compare(("==",), (Call("rank", (Name(tensor.name),)), Const(len(shape.terms))))
    return rank if tensor.always else Bool("and", (Call("present", (Name(tensor.name),)), rank))


def _product(split: Sequence[list[Way]]) -> Iterator[list[Way]]:
    """Yield each combination of one possible shape for every tensor.

    Tensors whose shapes depend on the same conditions always use the same case.
    """
    together: dict[tuple[Expr | None, ...], list[Way]] = {}
    for ways in split:
        key = tuple(condition for condition, _ in ways)
        before = together.get(key, [(condition, {}) for condition in key])
        together[key] = [(c, {**a, **b}) for (c, a), (_, b) in zip(before, ways)]
    yield from map(list, itertools.product(*together.values()))


def _all(conditions: Sequence[Expr]) -> Expr | None:
    if len(conditions) > 1:
        return Bool("and", tuple(conditions))
    return conditions[0] if conditions else None
