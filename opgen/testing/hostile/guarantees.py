"""Check the guarantees that a kernel declares, such as `deterministic`, by calling the kernel."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from opgen.ir.nodes import Tensor
from opgen.language.expr import Name
from opgen.language.shapes import Group, Term
from opgen.testing.arrays import applied
from opgen.testing.environment import Case, form_in, holds
from opgen.testing.hostile.entry import cpu_kernel, takes
from opgen.testing.hostile.poisoned_call import Attempt, Called, call
from opgen.testing.op_under_test import OpUnderTest

# A fault: the name of the check that found it, and a description.
Fault = tuple[str, str]


def same_bits(subject: OpUnderTest, first: Called, second: Called) -> Iterator[Fault]:
    """Check the guarantee `deterministic`: results do not depend on addresses or threads."""
    for tensor, *both in zip(subject.op.results, *(results(subject, c) for c in (first, second))):
        if not _equal(*both):
            yield "deterministic", f"{tensor.name} has other bits in a second call"


def invariance(
    subject: OpUnderTest, case: Case, arrays: list[Any], called: Called
) -> Iterator[Fault]:
    """Check the guarantee `invariant`: a call on some rows gives the same bits as on all rows."""
    rng, op = random.Random(case.seed), subject.op
    whole = dict(zip((t.name for t in op.results), results(subject, called)))
    for name in cpu_kernel(subject).guarantees.invariant:
        for most in (1, 2**20):
            cut = _cut(case, name, most, rng)
            if cut is None or not holds(op, cut.case):
                continue
            if not takes(subject, cut.case):
                continue
            attempt = Attempt(subject, cut.case)
            values = attempt.values
            given = [
                array if array is None else cut.of(subject, t, values, array)
                for t, array in zip(op.inputs, arrays)
            ]
            part = call(attempt, given)
            if part.status != 0:
                yield "invariant", f"the call on part of {name} returns {part.status}"
                continue
            for tensor, got in zip(op.results, results(subject, part)):
                if got is None or cut.axis(subject, tensor, values) is None:
                    continue
                if not _equal(got, cut.of(subject, tensor, values, whole[tensor.name])):
                    text = f"{tensor.name} depends on what else is along {name}"
                    yield "invariant", f"{text}: {cut.start} to {cut.stop} of it alone differ"


class _Cut:
    """A part of a call: only the indices from `start` to `stop` of one dim.

    `name` is the name of the dim, or of a group. For a group, `dim` is the index of the dim in the
    group. Otherwise `dim` is 0.
    """

    def __init__(self, case: Case, name: str, dim: int, start: int, stop: int) -> None:
        self.case, self.name, self.dim, self.start, self.stop = case, name, dim, start, stop

    def axis(self, subject: OpUnderTest, tensor: Tensor, values: Mapping[str, Any]) -> int | None:
        """Return the axis along which a tensor is cut, or None if the tensor is not cut."""
        axis = 0
        for term in form_in(subject.op, tensor, values, self.case).terms:
            if _name(term) == self.name:
                return axis + self.dim
            axis += len(values[term.name]) if isinstance(term, Group) else 1
        return None

    def of(
        self, subject: OpUnderTest, tensor: Tensor, values: Mapping[str, Any], array: Any
    ) -> Any:
        axis = None if tensor.list else self.axis(subject, tensor, values)
        if axis is None:
            return array
        return array[(slice(None),) * axis + (slice(self.start, self.stop),)]


def _name(term: Term) -> str | None:
    """Return the name if a shape's term is only a name, or None for a term such as `2*d`."""
    if isinstance(term, Group):
        return term.name
    return term.size.id if isinstance(term.size, Name) else None


def _cut(case: Case, name: str, most: int, rng: random.Random) -> _Cut | None:
    """Return a cut of at most `most` elements along `name`, or None if nothing can be cut."""
    size: Any = dict(case.sizes).get(name, 0)
    whole = size if isinstance(size, tuple) else (size,)
    dims = [n for n, s in enumerate(whole) if s > 1]
    if not dims:
        return None
    dim = rng.choice(dims)
    count = whole[dim]
    length = min(rng.randint(1, count - 1), most)
    start = rng.randint(0, count - length)
    rest = (*whole[:dim], length, *whole[dim + 1 :])
    kept = rest if isinstance(size, tuple) else length
    sizes = tuple((n, kept if n == name else s) for n, s in case.sizes)
    return _Cut(replace(case, sizes=sizes), name, dim, start, start + length)


def results(subject: OpUnderTest, called: Called) -> list[Any]:
    """Return the results of a call in the form in which the wrapper would return them."""
    arrays = {t.name: m for t, m in zip(subject.op.tensors, called.memory)}
    found = [applied(lambda m: m.array, arrays[t.name]) for t in subject.op.results]
    return subject.filled(found)


def _equal(one: Any, other: Any) -> bool:
    """Return whether two results are equal bit for bit."""
    if isinstance(one, list):
        return all(map(_equal, one, other))
    if one is None:
        return other is None
    bits = (np.array(a, order="C").tobytes() for a in (one, other))
    return one.shape == other.shape and next(bits) == next(bits)
