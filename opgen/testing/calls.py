"""Inputs of batched calls, and the shapes that `infer` predicts, independent of any framework."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from opgen.language.dtypes import DTYPES
from opgen.testing.arrays import mapped
from opgen.testing.cases import cases
from opgen.testing.environment import Case, environment, numpy_dtype
from opgen.testing.op_under_test import OpUnderTest


def twice_differentiable(subject: OpUnderTest) -> bool:
    """Return whether each backward of the op has a gradient too."""
    called = (subject.project.op(call.op) for call in subject.op.backward_calls)
    return all(grad.kind != "none" for op in called for grad in op.grad.values())


def batches(
    subject: OpUnderTest, inputs: list[Any], in_place: bool = False
) -> Iterator[tuple[bool, ...]]:
    """Yield the sets of inputs to batch in a vmap, as tuples with a bool for each input.

    Absent inputs are never batched. With `in_place`, updated inputs are always batched. With more
    than four inputs, only some sets are tried: each input alone, all inputs, and all but one.
    """
    updated = [
        in_place and bool(t.update) and x is not None for t, x in zip(subject.op.inputs, inputs)
    ]
    free = [n for n, x in enumerate(inputs) if x is not None and not updated[n]]
    every = range(2 ** len(free))
    few = [mask for mask in every if mask.bit_count() in (1, len(free) - 1, len(free))]
    for mask in every if len(free) <= 4 else few:
        batched = list(updated)
        for place, n in enumerate(free):
            batched[n] = mask >> place & 1 == 1
        if any(batched):
            yield tuple(batched)


def stacked(stack: Callable[..., Any], rows: list[list[Any]], batched: Sequence[bool]) -> list[Any]:
    """Return the inputs of a vmapped call that replaces several calls.

    `rows` has the inputs of each call. A batched input becomes the stack of its values in all
    calls. Any other input has its value in the first call.
    """
    return [
        (
            (
                [stack(items) for items in zip(*column)]
                if isinstance(column[0], list)
                else stack(column)
            )
            if b
            else column[0]
        )
        for column, b in zip(map(list, zip(*rows)), batched)
    ]


def inferred(
    subject: OpUnderTest, case: Case, arrays: list[Any], of: tuple[Any, ...] | None = None
) -> list[tuple[Any, ...]]:
    """Return a pair (tensor, inferred shape and dtype) for each tensor in `of`.

    By default, `of` contains all results. The result for an updated input has the input's shape and
    dtype.
    """
    op, make = subject.op, subject.module("core").TensorSpec
    names = {numpy_dtype(name): name for name in DTYPES}

    specs = mapped(lambda array: make(array.shape, names[array.dtype]), arrays)
    attrs = dict(case.attrs)
    if subject.core.sized_by:
        attrs |= {name: environment(op, case)[name] for name in op.computed}
    found = subject.core.infer(*specs, **attrs)
    results = [(t, getattr(found, t.name)) for t in (op.outputs if of is None else of)]
    if of is None:
        results += [(t, s) for t, s in zip(op.inputs, specs) if t.update]
    return [(t, each) for t, s in results for each in (s if isinstance(s, list) else [s])]


def simple(subject: OpUnderTest) -> Case:
    """Return the first case of the op, with all optional arguments if the op accepts them."""
    return next(iter(cases(subject.op)))
