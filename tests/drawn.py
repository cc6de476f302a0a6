"""Random calls of every op family: their arguments, and the shapes of the results.

Sizes are drawn for the names in a spec, and every tensor's shape is evaluated from these sizes.
Tests compare these shapes with those that opgen infers in the other direction, from shapes to
sizes.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.ir.resolve import resolve_op
from opgen.ir.shape_inference import expanded
from opgen.language.expr import names_in
from opgen.language.expr.evaluate import evaluate
from opgen.language.scope import Scope
from opgen.language.shapes import Group, Shape
from opgen.source.source_file import SourceFile
from opgen.spec.cases import Cases
from opgen.spec.parse import parse_spec

SPECS = sorted((Path(__file__).parents[1] / "specs").glob("*.toml"))
KERNELS = Path(__file__).parents[1] / "runtime" / "kernels"
SIZES = (1, 2, 3, 5, 8)
Make = Callable[[tuple, str], Any]  # maps a shape and a dtype to a tensor, or to its description


def families() -> Iterator[Family]:
    """Return all ops of the spec files, resolved as if none of them had a kernel."""
    for path in SPECS:
        source = SourceFile.read(path)
        spec, _ = parse_spec(source)
        assert spec is not None
        scopes = {name: Scope(op) for name, op in spec.ops.items()}
        ops = tuple(
            resolve_op(
                s,
                scopes,
                family=path.stem,
                spec=path.name,
                sources={},
                read=lambda f: (path.parent / f).read_text(),
                read_kernel=lambda f: (KERNELS / f).read_text(),
            )
            for s in scopes.values()
        )
        yield Family(path.stem, path.name, source.text, ops, ())


PROJECT = Project("every_family", "every_family", tuple(families()))


class Draw:
    """A random call: attrs, dtypes, presence and shapes of the inputs, and the resulting shapes.

    `values` maps names to values: sizes, sizes of a group of dims, dtypes, attrs, and shapes of
    tensors (None for an absent tensor).
    """

    def __init__(self, op: Op, rng: random.Random) -> None:
        self.op, self.rng = op, rng
        self.said: dict[str, Any] = {}
        self.values: dict[str, Any] = {
            a.name: self._attr(a) for a in op.attrs if a.required or rng.random() < 0.5
        }
        for attr in op.attrs:
            if attr.name not in self.values and not computed(attr):
                self.values[attr.name] = attr.default
        for var in op.dtypes:
            if var.free:
                self.values.setdefault(var.name, rng.choice(var.choices))
        for var in op.dtypes:
            if not var.free and len(var.value.cases) == 1:
                self.values[var.name] = evaluate(var.value.only, self.values)
        self.wanted = [t.name for t in op.written if t.optional and rng.random() < 0.5]
        self.values |= {
            t.name: () if t.name in self.wanted else None for t in op.written if t.optional
        }
        self._decide_presence()
        for var in op.dtypes:
            if not var.free and len(var.value.cases) > 1:
                cases = var.value.cases
                value = next(v for c, v in cases if c is None or evaluate(c, self.values))
                self.values[var.name] = evaluate(value, self.values)
        self.shapes = {t.name: self._form(t) for t in op.inputs}
        self._draw_sizes()

    def inputs(self, make: Make) -> list[Any]:
        """Return the inputs, made by `make`: None for an absent input, a list for an input list."""
        return [self._given(t, make) for t in self.op.inputs]

    def attrs(self) -> dict[str, Any]:
        """Return the passed attrs.

        An attr with a computed default is included only if `said` has a value for it.
        """
        known = (a.name for a in self.op.attrs if not computed(a))
        return {n: self.values[n] for n in known if n in self.values} | self.said

    def results(self) -> dict[str, tuple | None]:
        """Return the shape of each tensor that the op writes; None for an absent one."""
        return {t.name: self._result(t) for t in self.op.written}

    def measure(self, shape: Shape, values: Mapping[str, Any], index: int | None = None) -> tuple:
        """Return the sizes of `shape`. `index` is the position in a list of tensors."""
        sizes: list[Any] = []
        for term in shape.terms:
            if isinstance(term, Group):
                sizes += self.each[term.name][index] if term.each else values[term.name]  # type: ignore[index]
            else:
                sizes.append(evaluate(term.size, values))
        return tuple(sizes)

    def is_possible(self) -> bool:
        """Return whether all requirements hold and no size is negative.

        Adds derived sizes to `values`.
        """
        plain = {n: s for n, s in self.shapes.items() if s and not any(g.each for g in s.groups)}
        measured = {n: self.measure(s, self.values) for n, s in plain.items()}
        if any(size < 0 for shape in measured.values() for size in shape):
            return False
        values = {**self.values, **measured}
        for name, expr in self.op.dims:
            values[name] = evaluate(expr, values)
        for attr in self.op.attrs:
            if computed(attr):
                values.setdefault(attr.name, 1.0)
        self.values |= {k: v for k, v in values.items() if k not in self.shapes}
        return all(evaluate(r.condition, values) for r in self.op.require)

    def resized(self, choose: Callable[[], Any]) -> Draw:
        """Return the same call with other sizes.

        `choose` is called for each dim whose size is free.
        """
        other = copy.copy(self)
        other.values = {**self.values}
        for name in self.free():
            old = self.values[name]
            group = isinstance(old, tuple)
            other.values[name] = tuple(choose() for _ in old) if group else choose()
        other.each = {
            name: [tuple(choose() for _ in group) for group in groups]
            for name, groups in self.each.items()
        }
        for name, expr in self.op.dims:
            other.values[name] = evaluate(expr, other.values)
        return other

    def free(self) -> list[str]:
        """Return the names of dims and groups that get sizes only from the inputs' shapes."""
        known = {*(a.name for a in self.op.attrs), *dict(self.op.dims), *self.each}
        shapes = [s for s in self.shapes.values() if s]
        names = dict.fromkeys(n for s in shapes for n in s.names)
        return [n for n in names if n not in known and n in self.values]

    def _attr(self, attr: Attr) -> Any:
        if attr.choices:
            return self.rng.choice(attr.choices)
        base, bracket, count = attr.type.partition("[")
        draw: dict[str, Callable[[], Any]] = {
            "float": lambda: 0.25,
            "int": lambda: self.rng.randint(1, 4),
            "bool": lambda: self.rng.random() < 0.5,
            "str": lambda: "x",
            "dtype": lambda: "f32",
        }
        if not bracket:
            return draw[base]()
        length = count.removesuffix("]")
        return tuple(draw[base]() for _ in range(int(length) if length else self.rng.randint(0, 3)))

    def _decide_presence(self) -> None:
        for tensor in self.op.inputs:
            if tensor.optional:
                self.values[tensor.name] = () if self.rng.random() < 0.5 else None
        for tensor in self.op.inputs:
            if not tensor.optional:
                there = tensor.when is None or evaluate(tensor.when, self.values)
                self.values[tensor.name] = () if there else None

    def _case(self, cases: Cases) -> Any:
        for condition, value in cases.cases:
            if condition is None or evaluate(condition, self.values):
                return value
        raise AssertionError("no case holds")

    def _form(self, tensor: Tensor) -> Shape | None:
        if self.values[tensor.name] is None:
            return None
        return expanded(self.rng.choice(self._case(tensor.forms)), dict(self.op.dims))

    def _draw_sizes(self) -> None:
        self.count = self.rng.randint(1, 3)
        self.each: dict[str, list[tuple]] = {}
        for tensor in self.op.inputs:
            shape = self.shapes[tensor.name]
            if shape is None:
                continue
            if tensor.list and tensor.list.isidentifier():
                self.values[tensor.list] = self.count
            for term in shape.terms:
                if isinstance(term, Group) and term.each:
                    groups = [self._group() for _ in range(self.count)]
                    self.each.setdefault(term.name, groups)
                elif isinstance(term, Group):
                    self.values.setdefault(term.name, self._group())
                else:
                    for name in names_in(term.size):
                        self.values.setdefault(name, self.rng.choice(SIZES))

    def _group(self) -> tuple[int, ...]:
        return tuple(self.rng.randint(0, 5) for _ in range(self.rng.randint(0, 3)))

    def _given(self, tensor: Tensor, make: Make) -> Any:
        shape = self.shapes[tensor.name]
        if shape is None:
            return None
        dtype = self._case(tensor.dtype)
        dtype = str(self.values.get(dtype, dtype))
        if tensor.list:
            indices = range(self.count)
            return [make(self.measure(shape, self.values, i), dtype) for i in indices]
        return make(self.measure(shape, self.values), dtype)

    def _result(self, tensor: Tensor) -> tuple | None:
        if tensor.optional:
            there = tensor.name in self.wanted
        else:
            there = tensor.when is None or evaluate(tensor.when, self.values)
        if not there:
            return None
        shape = expanded(self._case(tensor.forms)[0], dict(self.op.dims))
        return self.measure(shape, self.values)


def computed(attr: Attr) -> bool:
    """Return whether the default of an attr is an expression."""
    literal = (int, float, str, bool, tuple, type(None))
    return not (attr.required or isinstance(attr.default, literal))


def draws(op: Op, count: int) -> Iterator[Draw]:
    """Yield `count` random calls that the op allows; they are the same in every run."""
    rng = random.Random(op.name)
    drawn = (Draw(op, rng) for _ in range(50 * count))
    possible = [d for d, _ in zip(filter(Draw.is_possible, drawn), range(count))]
    assert len(possible) == count
    yield from possible


def spoilt(draw: Draw, inputs: list[Any], make: Make) -> list[Any] | None:
    """Return the inputs with one size of one tensor changed; None if no tensor has a dim."""
    places = [
        n for n, x in enumerate(inputs) if x is not None and not isinstance(x, list) and x.shape
    ]
    if not places:
        return None
    place = draw.rng.choice(places)
    shape = list(inputs[place].shape)
    shape[draw.rng.randrange(len(shape))] += 7
    changed = make(tuple(shape), inputs[place].dtype)
    return [*inputs[:place], changed, *inputs[place + 1 :]]
