"""Plans for computing sizes are right in all combinations, and cheap for many conditions."""

from __future__ import annotations

import itertools
import random
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.compiler.pipeline import load
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.shape_inference import Length, Rank, Solve, Step, Take, bound_names, plan
from opgen.ir.worlds import Worlds
from opgen.language.shapes import parse_shape
from opgen.spec.cases import Cases
from opgen.spec.config import Config

ROOT = Path(__file__).parents[1]
MANY = """
spec = 1

[ops.many]
doc      = "An op of three dozen conditions."
inputs.x = {{ dtype = "f32", shape = "m n" }}
{inputs}
{attrs}
outputs.y = {{ dtype = "f32", shape = "m n" }}
grad     = "none"
sharding = "replicate"
kernels  = ["cpu"]
"""


def _ops(specs: list[Path], folder: Path) -> tuple[Op, ...]:
    project, found, _ = load(specs, Config(folder, kernels="../runtime/kernels"))
    assert project is not None, [each.message for each in found]
    return project.ops


@pytest.fixture(scope="module")
def known() -> list[Op]:
    folders = [ROOT / "specs", ROOT / "tests/cases/language"]
    return [op for f in folders for op in _ops(sorted(f.rglob("*.toml")), f)]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[Op]:
    """Return ops with one required and five optional inputs, with shapes of random terms."""
    op, rng = _spec(tmp_path_factory.mktemp("drawn"), _many("known")[:1], []), random.Random(0)
    terms = ["a", "b", "c", "2*a", "b+1", "a*b", "*g", "*h"]
    found = []
    for _ in range(60):
        shapes = [" ".join(rng.sample(terms, rng.randint(0, 3))) for _ in range(5)]
        more = [_tensor(op, f"t{n}", shape) for n, shape in enumerate(shapes)]
        inputs = rng.sample((op.inputs[0], *more), 6)
        found.append(replace(op, inputs=tuple(inputs)))
    return found


def _learnt(op: Op, steps: tuple[Step, ...], given: set[str], view: dict) -> set[str]:
    """Return the names that the steps of a size plan define in one combination, besides `given`."""
    names, ranked = {*given}, set()
    for step in steps:
        tensor, guard = op.tensor(step.tensor), step.guard
        option = view[step.tensor]
        if option is None:
            assert guard.present
            continue
        case, form = option
        condition = tensor.forms.cases[case][0]
        if guard.case != condition and not (guard.case is None and guard.others == ()):
            continue
        if guard.others and condition is not None:
            continue
        if guard.form not in (None, form) or not names.issuperset(guard.known):
            continue
        if isinstance(step, Rank):
            unknown = {g.name for g in step.shape.groups} - names
            assert len(unknown) <= 1
            if guard.unknown and not unknown:
                continue
            assert bool(unknown) == step.open
            ranked.add(step.tensor)
        if isinstance(step, Take | Solve | Length):
            if guard.unknown and step.name in names:
                continue
            if isinstance(step, Take | Solve):
                assert names.issuperset((*step.before.groups, *step.after.groups))
            names.add(step.name)
    for name, option in view.items():
        forms = op.tensor(name).forms.cases[option[0]][1] if option else ()
        if len(forms) == 1 and names.issuperset(g.name for g in forms[0].groups):
            assert name in ranked
    return names


def test_plans_learn_what_there_is_to_learn_in_every_combination(
    known: list[Op], drawn: list[Op]
) -> None:
    seen = 0
    for op in (*known, *drawn):
        worlds = Worlds(op.inputs, dict(op.dims), ())
        every = [list(worlds.every(tensor)) for tensor in op.inputs]
        steps = plan(op).steps
        given = bound_names(op, {tensor.name: None for tensor in op.inputs})
        for row in itertools.islice(itertools.product(*every), 600):
            axes: dict = {}
            if any(axes.setdefault(a, v) != v for each, _ in row for a, v in each.items()):
                continue
            view = {t.name: option for t, (_, option) in zip(op.inputs, row)}
            assert _learnt(op, steps, given, view) == bound_names(op, view), (op.name, view)
            seen += 1
    assert seen > 1000


def _spec(folder: Path, inputs: list[str], attrs: list[str]) -> Op:
    file = folder / "many.toml"
    file.write_text(MANY.format(inputs="\n".join(inputs), attrs="\n".join(attrs)))
    (op,) = _ops([file], folder)
    return op


def _cost(op: Op) -> tuple[int, float, float]:
    """Return the number of steps in a size plan, and the seconds and MB for making it."""
    tracemalloc.start()
    start = time.perf_counter()
    steps = len(plan(op).steps)
    seconds = time.perf_counter() - start
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return steps, seconds, most / 1e6


def _many(kind: str) -> list[str]:
    """Return 36 optional inputs: with known dims, with one shared dim, or with separate dims."""
    dims = {"known": "m", "shared": "k", "own": "k{n}", "pairs": "k{p} n"}[kind]
    shapes = [dims.format(n=n, p=n // 2) for n in range(36)]
    return [
        f'inputs.t{n} = {{ dtype = "f32", shape = "{s}", optional = true }}'
        for n, s in enumerate(shapes)
    ]


@pytest.mark.parametrize("kind", ["known", "shared", "own", "pairs"])
def test_three_dozen_optional_inputs_are_cheap(kind: str, tmp_path: Path) -> None:
    op = _spec(tmp_path, _many(kind)[:2], [])
    shapes = [line.split('shape = "')[1].split('"')[0] for line in _many(kind)]
    more = [_tensor(op, f"t{n}", shape) for n, shape in enumerate(shapes)]
    steps, seconds, megabytes = _cost(replace(op, inputs=(op.inputs[0], *more)))
    assert steps >= 37 and seconds < 5 and megabytes < 20


def _tensor(op: Op, name: str, shape: str) -> Tensor:
    """Return an optional input like the op's second one, with another shape."""
    forms = Cases(((None, (parse_shape(shape),)),))
    return replace(op.inputs[1], name=name, forms=forms)


def test_inputs_under_one_condition_are_there_together(tmp_path: Path) -> None:
    one = 'shape = "k n", when = "mode == \'a\'"'
    two = 'shape = "k", when = "exact"'
    inputs = [f'inputs.t{n} = {{ dtype = "f32", {two if n % 2 else one} }}' for n in range(12)]
    attrs = [
        'attrs.mode = { type = "str", choices = ["a", "b"] }',
        'attrs.exact = { type = "bool" }',
    ]
    _, seconds, megabytes = _cost(_spec(tmp_path, inputs, attrs))
    assert seconds < 1 and megabytes < 5
