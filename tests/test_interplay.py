"""Checking options in groups finds the same as checking all combinations of options."""

from __future__ import annotations

import random
import time
import tracemalloc
from pathlib import Path

import pytest

import opgen.language.call_variants as call_variants
from bench.wide import wide
from opgen.compiler.pipeline import examine
from opgen.source.work import Work

ROOT = Path(__file__).parents[1]
# OG110 refuses an op with thirteen options; all of its combinations take a minute.
SPECS = [
    *sorted({*ROOT.glob("tests/lint/*/*.toml")} - {*ROOT.glob("tests/lint/OG110/*.toml")}),
    *sorted(ROOT.glob("tests/boundary/project/specs/*.toml")),
    *sorted(ROOT.glob("specs/*.toml")),
]

Found = set[tuple[object, ...]]


def findings(paths: list[Path]) -> Found:
    _, found, _ = examine(paths)
    return {(d.rule, d.where.file, d.where.path, d.where.start, d.where.part) for d in found}


def both(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> tuple[Found, Found]:
    """Return the findings by groups of options, and the findings by all combinations."""
    monkeypatch.setattr(Work.__init__, "__defaults__", (10**9,))
    monkeypatch.setattr(call_variants, "EVERY", 0)
    grouped = findings(paths)
    monkeypatch.setattr(call_variants, "EVERY", 10**9)
    return grouped, findings(paths)


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_of_known_specs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grouped, whole = both([path], monkeypatch)
    assert grouped == whole


SHAPES = ("n", "n m", "m", "k", "k n", "m*k", "*g", "*g n", "2*k", "b")
TESTS = (
    *("present(a)", "present(b)", "not present(c)", "p", "p and q", "p or present(a)"),
    *("mode == 'u'", "mode == 'v' and not q", "T == f32", "rank(x) == 2"),
)


def drawn(rng: random.Random) -> str:
    """Return an op with random options and a backward op; it may be right or wrong."""
    shape = lambda: rng.choice(SHAPES)  # noqa: E731
    cases = lambda: rng.choice(  # noqa: E731
        [f'"{shape()}"'] * 3 + [f'{{ "{rng.choice(TESTS)}" = "{shape()}", else = "{shape()}" }}']
    )
    forms = rng.choice(['"n"', '["n", "n m"]', '["*g n", "n"]'])
    inputs = [f'inputs.x = {{ dtype = "T", shape = {forms} }}']
    for name in "abc":
        inputs.append(f'inputs.{name} = {{ dtype = "T", shape = "{shape()}", optional = true }}')
    when = rng.choice(["p", "q", "mode == 'u'", "p and not q", "present(a) or present(b)"])
    inputs.append(f'inputs.d = {{ dtype = "U", shape = "{shape()}", when = "{when}" }}')
    when = ["", ', when = "q"', ', when = "present(b)"', ", when = \"p and mode == 'v'\""]
    outputs = [
        f'outputs.y = {{ dtype = "{rng.choice("TU")}", shape = {cases()}{rng.choice(when)} }}',
        f'outputs.z = {{ dtype = "T", shape = {cases()}{rng.choice(when)} }}',
    ]
    reads = ["numel(b) > 0", "k > 0 if present(a) else m > 0", "present(a) or present(b)", "n > 0"]
    grad = rng.choice(['grad = "none"', 'grad.backward = "f_bwd"', 'grad.backward = "f_bwd"'])
    split = rng.choice(['"replicate"', '{ split = ["n"] }', '{ split = ["m", "k"] }'])
    lines = [
        *inputs,
        *outputs,
        "attrs.p = { type = 'bool' }",
        "attrs.q = { type = 'bool' }",
        "attrs.mode = { type = 'str', choices = ['u', 'v'] }",
        f"require = {rng.sample(reads, rng.randint(0, 2))}",
        grad,
        f"sharding = {split}",
    ]
    whenever = ', when = "p"'
    backward = [
        f'inputs.dy = {{ dtype = "T", shape = "*g"{rng.choice(["", ", optional = true"])} }}',
        f'inputs.x = {{ dtype = "T", shape = {forms} }}',
        f'inputs.a = {{ dtype = "T", shape = "*h"{rng.choice(["", ", optional = true"])} }}',
        "attrs.p = { type = 'bool' }",
        f'outputs.dx = {{ dtype = "T", shape = {forms.split(",")[0].strip("[]")} }}',
        f'outputs.da = {{ dtype = "T", shape = "*h"{rng.choice(["", whenever])} }}',
        'grad = "none"',
        'sharding = "replicate"',
    ]
    head = 'spec = 1\n[dtypes]\nT = ["f32", "f64"]\nU = ["f32", "f64"]\n'
    common = 'doc = "An op."\nkernels = ["cpu"]\n'
    text = head + "[ops.f]\n" + common + "\n".join(lines) + "\n"
    return text + "[ops.f_bwd]\n" + common + "\n".join(backward) + "\n"


def test_of_drawn_specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, rules = random.Random(0), set()
    for number in range(120):
        path = tmp_path / f"drawn{number}.toml"
        path.write_text(drawn(rng))
        grouped, whole = both([path], monkeypatch)
        assert grouped == whole, path.read_text()
        rules |= {found[0] for found in whole}
    assert {"OG322", "OG325", "OG326", "OG405", "OG503"} <= rules


def test_three_dozen_conditions(tmp_path: Path) -> None:
    path = tmp_path / "wide.toml"
    path.write_text(wide())
    examine([path])  # imports modules
    tracemalloc.start()
    start = time.process_time()
    assert findings([path]) == set()
    seconds, (_, peak) = time.process_time() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 5 and peak < 100e6  # tracing takes most of the time


def test_of_three_dozen_conditions_a_wrong_one_is_found(tmp_path: Path) -> None:
    path = tmp_path / "wide.toml"
    path.write_text(
        wide(
            'outputs.z = { dtype = "T", shape = "k7 n m", when = "p7 or p8", differentiable = false }'
        )
    )
    assert {found[0] for found in findings([path])} == {"OG325"}
