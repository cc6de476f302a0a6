"""Check how many graphs `torch.compile` creates for calls that differ only in sizes and int attrs.

In a graph with dynamic shapes, these sizes and ints are symbols.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch._dynamo.backends.debugging import aot_eager

from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.language.expr import Expr, names_in
from opgen.testing.arrays import flat, tupled
from opgen.testing.calls import inferred
from opgen.testing.cases import cases, names_of
from opgen.testing.draw import draw
from opgen.testing.environment import Case, has_literal, holds
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.placements import arrays_of
from opgen.testing.torch_checks import floating, keywords, same_bits, tensors

COUNT = 12  # number of calls, with different sizes, in one check
LIMIT = 2  # PyTorch compiles one graph for the first values and another graph with symbols
TRIES = 4000


def conformance(subject: OpUnderTest) -> None:
    """Check that calls that differ only in sizes and ints compile to at most two graphs.

    If possible, the check is repeated with inputs whose number of rows depends on data (an
    "unbacked" size).
    """
    for grad in (False, True):
        base = next(_bases(subject, grad), None)
        if base is None:
            continue
        alike = list(_alike(subject, base))
        _check(subject, alike, grad)
        if _rows(subject.op, base):
            _check(subject, alike, grad, unbacked=True)


def _check(subject: OpUnderTest, alike: list[Case], grad: bool, unbacked: bool = False) -> None:
    graphs = 0

    def backend(module: Any, inputs: Any) -> Any:
        nonlocal graphs
        graphs += 1
        return aot_eager(module, inputs)

    wrapper = subject.wrapper("torch")

    def function(rows: int | torch.Tensor, xs: list[Any], attrs: dict[str, Any]) -> Any:
        if isinstance(rows, torch.Tensor):
            xs = _cut(xs, int(rows.item()), places)
        return wrapper(*xs, **attrs)

    torch._dynamo.reset()
    settings: Any = torch._dynamo.config
    symbols: Any = torch.fx.experimental._config
    with (
        settings.patch(capture_scalar_outputs=True, recompile_limit=4 * COUNT),
        symbols.patch(use_duck_shape=False),  # two equal sizes get separate symbols
    ):
        compiled = torch.compile(function, fullgraph=True, dynamic=True, backend=backend)
        for case in alike:
            arrays, places = draw(subject.op, case), _rows(subject.op, case)
            rows = torch.tensor(places[0][2]) if unbacked else 0
            attrs = keywords(subject, case)
            found = []
            for run in (function, compiled):
                given = tensors(subject, arrays, grad=grad)
                results = run(rows, given, attrs)
                found.append(flat(tupled(results)))
                found[-1] += _gradients(found[-1], given) if grad else []
            for wanted, got in zip(*found, strict=True):
                same_bits(got, wanted, "a compiled result or gradient")
    what = "of unbacked rows" if unbacked else "of symbolic sizes"
    with_gradient = ", with a gradient" if grad else ""
    assert graphs <= LIMIT, (
        f"{subject.name}: expected at most {LIMIT} graphs {what}{with_gradient}, got {graphs} "
        f"for {len(alike)} calls: {'; '.join(map(str, alike))}"
    )


def _gradients(results: Sequence[Any], given: list[Any]) -> list[Any]:
    xs = [x for x in flat(given) if x is not None and x.requires_grad]
    ys = [y for y in results if floating(y) and y.requires_grad]
    if not ys:
        return []
    return [*torch.autograd.grad(ys, xs, [torch.ones_like(y) for y in ys], allow_unused=True)]


def _bases(subject: OpUnderTest, grad: bool) -> Iterator[Case]:
    """Yield the cases for which `_alike` yields all `COUNT` similar calls."""
    for case in cases(subject.op, floating=grad):
        if grad and not subject.differentiable(case):
            continue
        if len(list(_alike(subject, case))) == COUNT:
            yield case


def _alike(subject: OpUnderTest, base: Case) -> Iterator[Case]:
    """Yield up to `COUNT` calls like `base` with other sizes and int attrs.

    Sizes that determine a float attr stay fixed, because PyTorch compiles a separate graph for each
    value of a float.
    """
    op = subject.op
    floats = (a.default for a in op.attrs if a.type == "float" and isinstance(a.default, Expr))
    tied = {name for default in floats for name in names_in(default)}
    rng, kinds, found = random.Random(op.name), names_of(op), set[object]()
    for attempt in range(TRIES):
        high = 9 if attempt < TRIES // 2 else 32
        sizes = tuple(
            (n, _size(v, rng, high) if n in kinds and n not in tied else v) for n, v in base.sizes
        )
        given = dict(base.attrs)
        ints = (a for a in op.attrs if a.type.startswith("int") and not a.choices)
        for attr in ints:
            if attr.name in given or has_literal(attr):
                given[attr.name] = _ints(attr, given.get(attr.name, attr.default), rng, high)
        case = replace(base, sizes=sizes, attrs=tuple(given.items()), seed=attempt)
        if (sizes, case.attrs) in found or not holds(op, case) or not _symbolic(subject, case):
            continue
        found.add((sizes, case.attrs))
        yield case
        if len(found) == COUNT:
            return


def _size(size: Any, rng: random.Random, high: int) -> Any:
    if isinstance(size, tuple):
        return tuple(_size(each, rng, high) for each in size)
    return rng.randint(2, high)


def _ints(attr: Attr, value: Any, rng: random.Random, high: int) -> Any:
    """Return a random int, or tuple of ints, for an attr. A negative value stays negative, and a list
    that is None stays None.
    """
    if value is None and "[" in attr.type:
        return None
    if isinstance(value, (tuple, list)):
        return tuple(_ints(attr, each, rng, high) for each in value)
    if value is not None and value < 0:
        return rng.randint(max(int(attr.min or -high), -high), -2)
    return rng.randint(2, int(attr.max if attr.max is not None else high))


def _symbolic(subject: OpUnderTest, case: Case) -> bool:
    """Return whether all sizes exceed 1. PyTorch treats the sizes 0 and 1 as constants."""
    arrays = draw(subject.op, case)
    specs = (spec for _, spec in inferred(subject, case, arrays))
    shapes = [each.shape for each in (*specs, *flat(arrays)) if each is not None]
    return all(size > 1 for shape in shapes for size in shape)


def _rows(op: Op, case: Case) -> list[tuple[int, int, int]]:
    """Return the inputs that can be cut to fewer rows, as triples (index of the input, dim, size).

    Rows are indices of one dim that all of these inputs share. This dim is the first dim of a
    group, or else the first dim of the first input.
    """
    arrays = [*enumerate(arrays_of(op, case))]
    sizes = {f"{n}.{i}": x for n, v in case.sizes if isinstance(v, tuple) for i, x in enumerate(v)}
    groups = list(sizes)
    sizes |= dict(case.sizes)
    firsts = [a.dims[0] for _, a in arrays if a.dims and sizes.get(a.dims[0] or "") == a.sizes[0]]
    rows = next((name for name in firsts if name in groups), next(iter(firsts), None))
    return [
        (number, place, size)
        for number, array in arrays
        for place, (dim, size) in enumerate(zip(array.dims, array.sizes))
        if rows is not None and dim == rows and size == sizes[rows]
    ]


def _cut(xs: list[Any], count: int, places: list[tuple[int, int, int]]) -> list[Any]:
    """Return the inputs cut to `count` rows. The compiler does not know the value of `count`."""
    index, found = torch.arange(count), {number: place for number, place, _ in places}
    numbers = iter(range(len(xs)))
    return [
        x if x is None else torch.index_select(x, found[n], index) if n in found else x
        for x, n in ((x, None if x is None else next(numbers)) for x in xs)
    ]
