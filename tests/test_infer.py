"""The rendered `infer` of every family of the language, against shapes measured from sizes."""

import importlib
import random
import sys
from pathlib import Path

import pytest

from opgen.binding import expanded
from opgen.expr import names_in
from opgen.expr.evaluate import evaluate
from opgen.families import whole_op
from opgen.ir import Family, Project
from opgen.render import render
from opgen.resolve import resolve_op
from opgen.scope import Scope
from opgen.shapes import Group
from tomli import loads

SPECS = sorted((Path(__file__).parents[1] / "specs").glob("*.toml"))
DRAWS = 60


def families():
    for path in SPECS:
        text = path.read_text()
        document = loads(text)
        types = document.get("dtypes", {})
        scopes = {
            name: Scope(name, whole_op(document, name), types)
            for name in document["ops"]
        }
        ops = tuple(
            resolve_op(s, scopes, family=path.stem, spec=path.name, sources={})
            for s in scopes.values()
        )
        yield Family(path.stem, path.name, text, ops, ())


PROJECT = Project("every_family", "every_family", tuple(families()))


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """`every_family.core`, rendered and imported."""
    root = tmp_path_factory.mktemp("rendered")
    for file in render(PROJECT, ["core"]):
        path = root / "every_family" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    sys.path.insert(0, str(root))
    yield importlib.import_module("every_family.core")
    sys.path.remove(str(root))


class Draw:
    """One random call: attrs, dtypes, presence, forms and sizes, and the shapes that follow."""

    def __init__(self, op, rng):
        self.op, self.rng = op, rng
        self.values = {
            a.name: self.attr(a) for a in op.attrs if a.required or rng.random() < 0.5
        }
        for attr in op.attrs:
            if attr.name not in self.values and not names_default(attr):
                self.values[attr.name] = attr.default
        for var in op.dtypes:
            if var.free:
                self.values.setdefault(var.name, rng.choice(var.choices))
        for var in op.dtypes:
            if not var.free:
                self.values[var.name] = evaluate(var.value.only, self.values)
        self.wanted = [t.name for t in op.written if t.optional and rng.random() < 0.5]
        self.values |= {
            t.name: () if t.name in self.wanted else None
            for t in op.written
            if t.optional
        }
        self.presence()
        self.shapes = {t.name: self.chosen(t) for t in op.inputs}
        self.sizes()

    def attr(self, attr):
        if attr.choices:
            return self.rng.choice(attr.choices)
        base = attr.type.partition("[")[0]
        one = {"float": lambda: 0.25, "int": lambda: self.rng.randint(1, 4), "bool": lambda: self.rng.random() < 0.5, "str": lambda: "x", "dtype": lambda: "f32"}[base]  # fmt: skip
        if "[" not in attr.type:
            return one()
        count = attr.type.partition("[")[2].removesuffix("]")
        return tuple(
            one() for _ in range(int(count) if count else self.rng.randint(0, 3))
        )

    def presence(self):
        for tensor in self.op.inputs:
            if tensor.optional:
                self.values[tensor.name] = () if self.rng.random() < 0.5 else None
        for tensor in self.op.inputs:
            if not tensor.optional:
                there = tensor.when is None or evaluate(tensor.when, self.values)
                self.values[tensor.name] = () if there else None

    def case(self, cases):
        for condition, value in cases.cases:
            if condition is None or evaluate(condition, self.values):
                return value
        raise AssertionError("no case holds")

    def chosen(self, tensor):
        if self.values[tensor.name] is None:
            return None
        return expanded(self.rng.choice(self.case(tensor.forms)), dict(self.op.dims))

    def sizes(self):
        self.count = self.rng.randint(1, 3)
        self.each = {}
        for tensor in self.op.inputs:
            shape = self.shapes[tensor.name]
            if shape is None:
                continue
            if tensor.list and tensor.list.isidentifier():
                self.values[tensor.list] = self.count
            for term in shape.terms:
                if isinstance(term, Group):
                    if term.each:
                        self.each.setdefault(
                            term.name, [self.ranks() for _ in range(self.count)]
                        )
                    else:
                        self.values.setdefault(term.name, self.ranks())
                else:
                    for name in names_in(term.size):
                        self.values.setdefault(name, self.rng.choice((1, 2, 3, 5, 8)))

    def ranks(self):
        return tuple(self.rng.randint(0, 5) for _ in range(self.rng.randint(0, 3)))

    def measure(self, shape, index=None):
        values, sizes = {**self.values}, []
        for term in shape.terms:
            if isinstance(term, Group):
                sizes += self.each[term.name][index] if term.each else values[term.name]
            else:
                sizes.append(evaluate(term.size, values))
        return tuple(sizes)

    def given(self, tensor, spec):
        shape = self.shapes[tensor.name]
        if shape is None:
            return None
        dtype = self.case(tensor.dtype)
        dtype = str(self.values.get(dtype, dtype))
        if tensor.list:
            return [spec(self.measure(shape, i), dtype) for i in range(self.count)]
        return spec(self.measure(shape), dtype)


def names_default(attr):
    return not (
        attr.required
        or isinstance(attr.default, (int, float, str, bool, tuple, type(None)))
    )


def possible(draw):
    """Whether the requirements hold and no size is negative."""
    op, values = draw.op, {**draw.values}
    shapes = [
        draw.measure(s)
        for s in draw.shapes.values()
        if s and not any(g.each for g in s.groups)
    ]
    if any(size < 0 for shape in shapes for size in shape):
        return False
    values |= {
        n: draw.measure(s)
        for n, s in draw.shapes.items()
        if s and not any(g.each for g in s.groups)
    }
    for name, expr in op.dims:
        values[name] = evaluate(expr, values)
    for attr in op.attrs:
        if names_default(attr):
            values.setdefault(attr.name, 1.0)
    draw.values |= {k: v for k, v in values.items() if k not in draw.shapes}
    return all(evaluate(r.condition, values) for r in op.require)


def draws(op):
    rng = random.Random(op.name)
    for _ in range(50 * DRAWS):
        draw = Draw(op, rng)
        if possible(draw):
            yield draw


@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_inferred_shapes_are_the_measured_ones(core, op):
    checked = 0
    for draw in draws(op):
        inputs = [draw.given(t, core.TensorSpec) for t in op.inputs]
        attrs = {
            a.name: draw.values[a.name]
            for a in op.attrs
            if a.name in draw.values and not names_default(a)
        }
        if any(t.optional for t in op.written):
            attrs["wanted"] = draw.wanted
        got = getattr(core, op.name).infer(*inputs, **attrs)
        for tensor in op.written:
            there = tensor.name in draw.wanted if tensor.optional else tensor.when is None or evaluate(tensor.when, draw.values)  # fmt: skip
            spec = getattr(got, tensor.name)
            assert (spec is not None) == bool(there)
            if spec is not None:
                assert spec.shape == draw.measure(
                    expanded(draw.case(tensor.forms)[0], dict(op.dims))
                )
        checked += 1
        if checked == DRAWS:
            break
    assert checked == DRAWS


@pytest.mark.parametrize("op", PROJECT.ops, ids=lambda op: op.name)
def test_a_wrong_size_is_refused_by_name(core, op):
    """One size changed where another tensor fixes it: a ValueError that names the argument."""
    refused = 0
    for draw in draws(op):
        inputs = [draw.given(t, core.TensorSpec) for t in op.inputs]
        attrs = {
            a.name: draw.values[a.name]
            for a in op.attrs
            if a.name in draw.values and not names_default(a)
        }
        if any(t.optional for t in op.written):
            attrs["wanted"] = draw.wanted
        places = [
            n
            for n, x in enumerate(inputs)
            if isinstance(x, core.TensorSpec) and x.shape
        ]
        if not places:
            continue
        place = draw.rng.choice(places)
        shape = list(inputs[place].shape)
        shape[draw.rng.randrange(len(shape))] += 7
        inputs[place] = core.TensorSpec(tuple(shape), inputs[place].dtype)
        try:
            getattr(core, op.name).infer(*inputs, **attrs)
        except ValueError as error:
            assert op.name in str(error)
            refused += 1
        if refused == 5:
            return
    assert refused or loose(op)


def loose(op):
    """Whether any shapes of the right ranks go: each name stands once, and alone."""
    if any(t.list for t in op.inputs):
        return True
    names = [
        name
        for t in op.inputs
        for form in t.forms.values()
        for s in form
        for name in s.names
    ]
    alone = all(getattr(x, "name", "") for t in op.inputs for f in t.forms.values() for s in f for x in s.terms)  # fmt: skip
    return alone and len(names) == len(set(names))
