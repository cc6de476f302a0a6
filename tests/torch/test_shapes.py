"""Fake kernels of every op family, against shapes known from sizes, even in exported programs."""

from __future__ import annotations

import importlib
import random
from functools import partial
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from opgen.ir.op import Op
from opgen.language.expr import Name, names_in
from opgen.language.shapes import Group
from opgen.targets.torch import TORCH_NAMES
from tests.drawn import PROJECT, Draw, draws

SPECIAL = (0, 1)  # sizes that PyTorch's symbols treat specially
SIZES = (2, 3, 4, 5, 6, 8, 16)


def tensor(shape: tuple[int, ...], dtype: str, device: str = "meta") -> torch.Tensor:
    return torch.empty(shape, dtype=getattr(torch, TORCH_NAMES[dtype]), device=device)


def arguments(draw: Draw, inputs: list[Any]) -> list[Any]:
    """Return the op's arguments, in the order of its schema."""
    given = [[] if t.list and value is None else value for t, value in zip(draw.op.inputs, inputs)]
    attrs = draw.attrs()
    for attr in draw.op.attrs:
        value = attrs.get(attr.name)
        if attr.type == "dtype" and value is not None:
            value = getattr(torch, TORCH_NAMES[value])
        given.append(list(value) if isinstance(value, tuple) else value)
    return given


def overload(op: Op) -> Any:
    importlib.import_module(f"generated.torch._{op.name}")
    return getattr(torch.ops.generated, op.name).default


def wanted(draw: Draw) -> dict[str, int]:
    """Return the argument for the wanted results, if the op has optional results."""
    if not any(t.optional for t in draw.op.written):
        return {}
    from generated._opgen.torch import wanted_bits

    return {"wanted": wanted_bits(draw.op.name, draw.wanted)}


def shapes(got: Any) -> list[tuple | None]:
    """Return the shapes of the op's results; None for an absent one."""
    results = got if isinstance(got, (tuple, list)) else [got]
    return [None if r is None else tuple(r.shape) for r in results]


def measured(draw: Draw) -> list[tuple | None]:
    """Return the shapes of the results as computed from the sizes."""
    return list(draw.results().values())


@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_fake_kernels_give_the_measured_shapes(op: Op) -> None:
    call = overload(op)
    for draw in draws(op, 20):
        with FakeTensorMode():
            got = call(*arguments(draw, draw.inputs(tensor)), **wanted(draw))
        assert op.written == () or shapes(got) == measured(draw)


def moving(draw: Draw, name: str) -> list[Any]:
    """Return the specification of each dim of a tensor for `torch.export`.

    It is DYNAMIC if only the tensors' shapes determine the size. torch.export may find that a dim
    with a computed size has only one possible size.
    """
    free, hints = {*draw.free()}, torch.export.Dim
    found: list[Any] = []
    for term in draw.shapes[name].terms:
        if isinstance(term, Group):
            hint = hints.DYNAMIC if term.name in free else hints.STATIC
            found += [hint] * len(draw.values[term.name])
        elif {*names_in(term.size)} & free:
            found.append(hints.DYNAMIC if isinstance(term.size, Name) else hints.AUTO)
        else:
            found.append(hints.STATIC)
    return found


def is_general(draw: Draw) -> bool:
    """Return whether no dynamic dim has a special size."""
    given = zip(draw.op.inputs, draw.inputs(tensor))
    alone = [(t.name, x.shape) for t, x in given if isinstance(x, torch.Tensor)]
    pairs = [pair for name, shape in alone for pair in zip(shape, moving(draw, name))]
    return not any(size in SPECIAL and hint != torch.export.Dim.STATIC for size, hint in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_export_keeps_dynamic_dims(op: Op) -> None:
    """Dims that only shapes determine may be dynamic in an exported program.

    Other sizes then give the right shapes.
    """
    call, rng = overload(op), random.Random(op.name)
    sizes = (draw.resized(lambda: rng.choice(SIZES)) for draw in draws(op, 30))
    draw = next(each for each in filter(Draw.is_possible, sizes) if is_general(each))
    given = draw.inputs(partial(tensor, device="cpu"))
    options = arguments(draw, given)[len(given) :]

    class Program(torch.nn.Module):
        def forward(self, *inputs: Any) -> Any:
            return call(*inputs, *options, **wanted(draw))

    inputs = tuple(arguments(draw, given)[: len(given)])
    dynamic = tuple(dims(draw, t.name, x) for t, x in zip(op.inputs, inputs))
    program = torch.export.export(Program(), inputs, dynamic_shapes=(dynamic,))
    others = (draw.resized(lambda: rng.choice(SIZES)) for _ in range(200))
    other = next(filter(Draw.is_possible, others))
    with FakeTensorMode():
        fresh = arguments(other, other.inputs(tensor))[: len(given)]
        got = program.module()(*fresh)
    assert op.written == () or shapes(got) == measured(other)


def dims(draw: Draw, name: str, given: Any) -> Any:
    """Return the specification of an input's dims for `torch.export`."""
    if isinstance(given, list):
        return [[torch.export.Dim.DYNAMIC] * each.ndim for each in given]
    return None if given is None else moving(draw, name)
