"""The rendered `infer` function of every op family, compared with shapes that are known from sizes."""

import importlib
import sys
from collections import Counter
from functools import reduce
from operator import or_

import pytest

from opgen.output.render import render
from tests.drawn import PROJECT, draws, spoilt

DRAWS = 60


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """Render `every_family.core` and return the module."""
    root = tmp_path_factory.mktemp("rendered")
    for file in render(PROJECT, ["core"]):
        path = root / "every_family" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    sys.path.insert(0, str(root))
    yield importlib.import_module("every_family.core")
    sys.path.remove(str(root))


def keywords(draw):
    """Return the keyword arguments of `infer`."""
    optional = any(t.optional for t in draw.op.written)
    return draw.attrs() | ({"wanted": draw.wanted} if optional else {})


@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_inferred_shapes_are_the_measured_ones(core, op):
    for draw in draws(op, DRAWS):
        inputs = draw.inputs(core.TensorSpec)
        got = getattr(core, op.name).infer(*inputs, **keywords(draw))
        shapes = {n: None if s is None else s.shape for n, s in got._asdict().items()}
        assert shapes == draw.results()


@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_a_wrong_size_is_refused_by_name(core, op):
    """A wrong size raises a ValueError that names the argument.

    The changed sizes are those that another tensor determines too.
    """
    refused = 0
    for draw in draws(op, DRAWS):
        inputs = spoilt(draw, draw.inputs(core.TensorSpec), core.TensorSpec)
        if inputs is None:
            continue
        try:
            getattr(core, op.name).infer(*inputs, **keywords(draw))
        except ValueError as error:
            assert op.name in str(error)
            refused += 1
        if refused == 5:
            return
    assert refused or loose(op)


def loose(op):
    """Return whether an op accepts any sizes: each name occurs once, and alone in its term."""
    if any(t.list for t in op.inputs):
        return True
    names = Counter[str]()
    for tensor in op.inputs:
        shapes = [shape for form in tensor.forms.values() for shape in form]
        names += reduce(or_, (Counter(shape.names) for shape in shapes))
    alone = all(
        getattr(x, "name", "")
        for t in op.inputs
        for f in t.forms.values()
        for s in f
        for x in s.terms
    )
    return alone and max(names.values(), default=0) < 2
