"""Extend a draft by facts from the op's C++ code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from opgen.start.cpp_body import Facts, Size, facts
from opgen.start.cpp_functions import Function
from opgen.start.cpp_results import Result, results
from opgen.start.draft import Attr, Draft, Tensor, is_free
from opgen.start.shapes import NAMES


def with_source(
    draft: Draft, function: Function, known: Sequence[Function], called: Mapping[str, str]
) -> Draft:
    """Return the draft, extended by facts from the function that computes the op.

    `known` are all functions of the sources, and `called` maps the function's parameters to the
    draft's names.
    """
    found = facts(function, known, called)
    dims = _Dims(draft, found)
    inputs = [_input(each, found, dims) for each in draft.inputs]
    passed = {*called.values()}
    written = [_input(each, found, dims) for each in draft.outputs if each.name in passed]
    fresh = [each for each in draft.outputs if each.name not in passed]
    made = results(function, known, called)
    if len(made) != len(fresh):
        made = [None] * len(fresh)
    tensors = {each.name: each for each in (*inputs, *written)}
    taken = {*tensors, *(attr.name for attr in draft.attrs)}
    outputs = list(written)
    for result, each in zip(made, fresh):
        if result is not None:
            each = _output(each, result, dims, tensors)
            if result.name and result.name not in taken and is_free(result.name):
                each = replace(each, name=result.name)
                taken.add(result.name)
            inputs = [
                replace(given, shape=each.shape) if given.name in result.same else given
                for given in inputs
            ]
        outputs.append(each)
    dtypes = {"T": found.variable} if found.variable is not None else draft.dtypes
    attrs = [_attr(each, outputs) for each in draft.attrs]
    return replace(draft, inputs=inputs, attrs=attrs, outputs=outputs, dtypes=dtypes)


def _input(each: Tensor, found: Facts, dims: _Dims) -> Tensor:
    shape = None if each.list else dims.shape(each.name)
    if shape is not None:
        each = replace(each, shape=shape, known=each.name in found.ranks)
    dtypes = found.dtypes.get(each.name, set())
    if len(dtypes) != 1 or dtypes == {"T"}:
        return each
    return each.of_dtype(min(dtypes))


def _output(each: Tensor, result: Result, dims: _Dims, tensors: Mapping[str, Tensor]) -> Tensor:
    """Return the output with the dtype and the shape of the tensor that the function creates."""
    if result.dtype in tensors:
        each = each.of_dtype(tensors[result.dtype].dtype)
    elif result.dtype:
        each = each.of_dtype(result.dtype)
    like = tensors.get(result.like)
    if like is not None:
        return replace(each, shape=dims.changed(like, result.changed), known=not result.changed)
    terms = [dims.term(size) for size in result.sizes or ()]
    if result.sizes is None or None in terms:
        return each
    return replace(each, shape=" ".join(filter(None, terms)), known=True)


def _attr(each: Attr, outputs: Sequence[Tensor]) -> Attr:
    """Return the attr, as a required one if it is the size of a result."""
    if not each.optional or not any(each.name in (o.shape or "").split() for o in outputs):
        return each
    return replace(each, optional=False, guess="that it is always given")


class _Dims:
    """The names of the dims of the inputs whose rank is known."""

    def __init__(self, draft: Draft, found: Facts) -> None:
        self._found = found
        self._taken = {each.name for each in (*draft.inputs, *draft.outputs)}
        self._taken |= {each.name for each in draft.attrs}
        self._names: dict[Size, str] = {}
        for name, rank in found.ranks.items():
            for at in range(rank):
                self._names[Size(name, at)] = self._name(Size(name, at))
        self._shapes = {
            name: [self._names[Size(name, at)] for at in range(rank)]
            for name, rank in found.ranks.items()
        }

    def shape(self, tensor: str) -> str | None:
        return " ".join(self._shapes[tensor]) if tensor in self._shapes else None

    def changed(self, like: Tensor, sizes: Mapping[int, str | Size | None]) -> str | None:
        """Return the shape of `like`, in which the known sizes in `sizes` replace others."""
        terms = list(self._shapes.get(like.name, ()))
        for at, size in sizes.items():
            old, new = self.term(Size(like.name, at)), size and self.term(size)
            if old in terms and new:
                terms[terms.index(old)] = new
        return " ".join(terms) or like.shape

    def term(self, size: str | Size) -> str | None:
        """Return the name or number for a result size, or None if the tensor has unknown rank."""
        if isinstance(size, str):
            return size
        at = self._found.indexed(size)
        name = at and self._names.get(at._replace(plus=0))
        return f"{name}{size.plus:+}" if name and size.plus else name

    def _name(self, size: Size) -> str:
        for one, other in self._found.equal:
            for a, b in ((one, other), (other, one)):
                if a == size and b in self._names:
                    return self._names[b]
        alias = self._found.sizes.get(size, "").lower()
        return self._free((alias, f"{alias}_size") if alias else ())

    def _free(self, first: Sequence[str] = ()) -> str:
        for name in (*first, *NAMES, *(f"n{n}" for n in range(99))):
            if is_free(name) and name not in self._taken:
                self._taken.add(name)
                return name
        raise AssertionError(first)
