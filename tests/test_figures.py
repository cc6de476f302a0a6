"""The times in the op catalogue: each is measured once, and the pages show the file's values."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bench import figures, figures_page
from bench.figures import measurable, measured_with, project_of
from opgen.bench.command import FRAMEWORKS
from opgen.bench.harness import Spread
from opgen.bench.measuring import Job, cases
from opgen.bench.peers import load_peers
from opgen.bench.roofline import Point, Roofs, axes, roofline
from opgen.bench.rows import Peer, Row, call_of, case_of, to_json
from opgen.bench.sizes import SIZES, Size, in_dtype, sample_of, with_sizes
from opgen.bench.work import Work, backward_work, forward_work
from opgen.ir.project import Project
from opgen.output.render import render
from opgen.spec.config import Config
from opgen.testing.environment import environment
from opgen.testing.op_under_test import OpUnderTest

ROOT = Path(__file__).parents[1]
HERE, MEASURED = figures.read()


@pytest.fixture(scope="module")
def loaded() -> tuple[Config, Project]:
    return project_of()


@pytest.fixture(scope="module")
def pages(loaded: tuple[Config, Project]) -> dict[str, str]:
    """The rendered pages, by file name."""
    return {Path(file.path).name: file.text for file in render(loaded[1], ["docs"])}


def test_every_op_of_the_catalogue_is_measured(loaded, pages) -> None:
    _, project = loaded
    listed = set(re.findall(r"^\| \[`(\w+)`", pages["_index.md"], re.MULTILINE))
    assert listed == {*measurable(project), *measured_with(project)}
    assert {*measurable(project)} <= {f.op for f in MEASURED}
    both = {f.op for f in MEASURED if f.framework == "jax"}
    assert both == {f.op for f in MEASURED if f.framework == "torch"}


def test_every_size_is_measured_or_left_out_by_rule(loaded) -> None:
    """Every size of `opgen bench` is measured, or the op's page tells why it is left out."""
    config, project = loaded
    whole = [Size(*each) for each in SIZES]
    for op in measurable(project):
        subject = OpUnderTest(project.op(op), project)
        wanted = {str(size) for size in figures.sizes(subject, config, whole)}
        sample = sample_of(subject.op)
        dtypes = {dtype for dtype in figures.DTYPES if in_dtype(subject.op, sample, dtype)}
        for framework in FRAMEWORKS:
            found = [f for f in MEASURED if (f.op, f.framework) == (op, framework)]
            directions = {f.direction for f in found}
            assert {f.call[2:] for f in found} == {*product(directions, dtypes, wanted)}
        left = {str(size) for size in whole} - wanted
        said = re.search(
            "^Not measured at (.*): ", figures_page.section(op, MEASURED), re.MULTILINE
        )
        assert set(said[1].split(", ") if said else ()) == left


def test_every_figure_is_of_the_call_that_it_says(loaded) -> None:
    """Bytes and operations of a figure follow from its call's shapes; the shapes follow from its
    size.
    """
    config, project = loaded
    peers = load_peers(config.peers_file, {op.name: op for op in project.ops})
    whole = [Size(*each) for each in SIZES]
    for op in measurable(project):
        subject = OpUnderTest(project.op(op), project)
        job = Job("torch", "cpu", 1, [op], whole, figures.DTYPES)
        drawn = {(d, str(s)): c for d, s, c in cases(subject, job, peers, lambda _: None)}
        for f in (f for f in MEASURED if f.op == op):
            case = case_of(f.given)
            work = forward_work(subject.op, case)
            if f.direction != "forward":
                backward = backward_work(subject.op, case, project)
                work = work + backward if "+" in f.direction else backward
            assert (work.bytes, work.flops) == (f.bytes, f.flops), f.call
            assert call_of(drawn[f.dtype, f.size]) == call_of(case), f.call


def test_a_convolution_of_as_many_groups_as_channels_is_another_call(loaded) -> None:
    """A depthwise convolution is measured as a separate kind of call.

    A kind of call sets the attrs that it names. Formerly `groups` was ignored without a message.
    """
    _, project = loaded
    op = project.op("conv2d")
    sample = in_dtype(op, sample_of(op), "f32")
    sizes = {"n": 1, "cg": 1, "h": 8, "w": 8, "k": 16, "r": 3, "s": 3}
    depthwise = with_sizes(op, sample, sizes | {"groups": 16})
    assert dict(depthwise.attrs)["groups"] == 16
    assert environment(op, depthwise)["x"] == (1, 16, 8, 8)
    assert environment(op, with_sizes(op, sample, sizes))["x"] == (1, 1, 8, 8)
    with pytest.raises(ValueError, match="`conv2d` has no size or attr `group` to set: .*groups"):
        with_sizes(op, sample, sizes | {"group": 16})


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_the_catalogue_says_what_the_file_says(loaded, pages) -> None:
    """The catalogue shows the values of the JSON file.

    The test reads the file without the code that writes the page.
    """
    _, project = loaded
    index = pages["_index.md"]
    page = figures_page.catalogue(index, HERE, MEASURED, measured_with(project))
    listed = (
        cells(line)
        for line in page[page.index("## Figures") :].splitlines()
        if line.startswith("| [`")
    )
    rows = {each[0].split("`")[1]: each[-2:] for each in listed}
    calls = json.loads(figures.MEASURED.read_text())["figures"]
    for op in measurable(project):
        for framework, shown in zip(("torch", "jax"), rows[op], strict=True):
            own = [c for c in calls if (c["op"], c["framework"]) == (op, framework)]
            own = [c for c in own if c["bytes"] >= 2**20] or own
            ratios = [min(c["peers"].values())[1] for c in own if c["peers"]]
            expected = [f"{r:.2f}" for r in ({min(ratios), max(ratios)} if ratios else ())]
            assert sorted(re.findall(r"[\d.]+", shown), key=float) == sorted(
                {*expected}, key=float
            ), op
    assert all(date in page for date in {min(f.date for f in MEASURED)})


@pytest.mark.parametrize("op", sorted({f.op for f in MEASURED}))
def test_the_page_of_an_op_has_all_of_its_calls(op: str, pages) -> None:
    text = pages[f"{op}.md"]
    page = figures_page.with_section(text, op, MEASURED)
    assert page.startswith(text[: text.index("Rendered by opgen")])
    own = [f for f in MEASURED if f.op == op]
    rows = [cells(line) for line in page.splitlines() if re.match(r"\| (forw|backw)", line)]
    assert len(rows) == len(own)
    for row, f in zip(rows, sorted(own, key=lambda f: f.framework != "torch"), strict=True):
        assert row[:3] == [f.direction, f.dtype, f.size]
        assert row[3].split()[0] == re.match(r"\w+", f.processor)[0]
        shapes = re.search(rf"^\| {f.size} \| (.*) \|$", page, re.M)[1]
        for name, value in f.given["sizes"].items():
            assert f"`{name} = {json.dumps(value)}`" in shapes
        assert float(row[5]) == pytest.approx(f.bytes / f.seconds / 1e9, abs=0.006)
        ratio = "" if f.fastest is None else f"{f.fastest[1]:.2f}"
        assert row[-1] == (f"**{ratio}**" if f.behind else ratio)
    assert ("Why:" in page) == any(f.behind for f in own) == (op in figures.reasons())
    assert figures.reasons().get(op, "") in page
    assert (figures_page.ALONE in page) == any(not f.peers for f in own)
    drawn = [f for f in own if f.framework == "torch" and f.flops and "fma" in f.rates]
    most = Counter(f.processor for f in drawn).most_common(1)
    assert page.count('class="mark') == sum(count for _, count in most)


@pytest.mark.parametrize(
    ("moved", "seconds", "peers", "behind"),
    [
        (2**20, 1.06, {"a": (1.0, 1.06), "b": (2.0, 0.5)}, True),
        (2**20, 1.04, {"a": (1.0, 1.04)}, False),
        (2**19, 2e-6, {"a": (1.3e-6, 1.5)}, True),
        (2**19, 2e-6, {"a": (1.5e-6, 1.3)}, False),
        (2**19, 2e-3, {"a": (1.9e-3, 1.02)}, False),
        (2**20, 1.0, {}, False),
    ],
)
def test_a_call_is_behind_as_the_benchmark_says(moved, seconds, peers, behind) -> None:
    call = replace(MEASURED[0], bytes=moved, seconds=seconds, peers=peers)
    assert call.behind == behind


def test_figures_of_the_readme() -> None:
    """The README states the right numbers of calls and ops, and the right median ratio."""
    text = (ROOT / "README.md").read_text()
    sentence = r"(\d+) ops are .* of (\d+) CPU\s.* takes ([\d.]+) times .* In (\d+) of these"
    found = re.search(sentence, text, re.DOTALL)
    compared = [(f, f.fastest[1]) for f in MEASURED if f.fastest]
    assert found is not None and [*map(float, found.groups())] == [
        len({f.op for f, _ in compared}),
        len(compared),
        round(median(ratio for _, ratio in compared), 2),
        sum(f.behind for f, _ in compared),
    ]


def test_a_mark_is_where_its_rates_are() -> None:
    roofs = Roofs(memory=10e9, compute=100e9)
    points = [Point(1.0, 10e9, "a<b"), Point(100.0, 50e9, "c", square=True, hollow=True)]
    x, y = axes(points, roofs)
    text = roofline(points, roofs, "two calls")
    assert f'cx="{x(1.0)}" cy="{y(10e9)}"' in text and "<title>a&lt;b</title>" in text
    assert f"L{x(10.0)} {y(100e9)}H" in text  # the ridge of the roofline
    assert x(1.0) < x(10.0) < x(100.0) and y(10e9) > y(50e9) > y(100e9)
    assert abs((x(1.0) + x(100.0)) / 2 - x(10.0)) <= 0.1


def row(op: str, framework: str, size: str) -> dict[str, Any]:
    one = Spread.of([1.0, 2.0, 3.0])
    peers = {"native": Peer(one, one), "tvm-ffi": Peer(one, one)}
    found = Row(op, "forward", framework, "cpu", "f32", size, 2, Work(9, 1), one, one, {}, peers)
    return to_json(found)


def test_a_run_that_was_cut_goes_on(loaded, monkeypatch, tmp_path) -> None:
    """An interrupted run continues.

    An op's results in a framework are written at once, and measured again only if the op is named.
    """
    config, project = loaded
    asked: list[tuple[str, str, list[str]]] = []

    def process(job: dict[str, Any], _: object) -> list[dict[str, Any]]:
        op, sizes = job["ops"][0], [f"{rows}x{columns}" for rows, columns in job["sizes"]]
        asked.append((op, job["framework"], sizes))
        if len(asked) == 4:
            raise KeyboardInterrupt
        return [row(op, job["framework"], size) for size in sizes]

    monkeypatch.setattr(figures, "process", process)
    monkeypatch.setattr(figures, "MEASURED", tmp_path / "figures.json")
    monkeypatch.setattr(figures.read, "__defaults__", (tmp_path / "figures.json",))
    monkeypatch.setattr(figures, "measurable", lambda _: ["relu", "rms_norm"])
    monkeypatch.setattr(figures, "machine", lambda: {"processor": "one"})
    fields = {"dtypes": ("f32",)}
    small, large = Size(8, 128), Size(1024, 1024)
    with pytest.raises(KeyboardInterrupt):
        figures.measure((), config, project, [small], fields)
    assert len(figures.read()[1]) == 3
    figures.measure((), config, project, [small], fields)
    assert asked[4:] == [("rms_norm", "jax", ["8x128"])]
    monkeypatch.setattr(figures, "machine", lambda: {"processor": "another"})
    figures.measure((), config, project, [small, large], fields)
    assert asked[5:] == [
        (op, framework, ["1024x1024"])
        for op in ("relu", "rms_norm")
        for framework in ("torch", "jax")
    ]
    assert {(f.size, f.processor) for f in figures.read()[1]} == {
        ("8x128", "one"),
        ("1024x1024", "another"),
    }
    figures.measure(["relu"], config, project, [small], fields)
    assert asked[9:] == [("relu", "torch", ["8x128"]), ("relu", "jax", ["8x128"])]
    measured = [f for f in figures.read()[1] if f.op == "relu"]
    assert [f.processor for f in measured] == ["another"] * 4
    assert [*measured[0].peers] == ["native"]


def test_what_takes_too_long_is_not_measured(loaded) -> None:
    config, project = loaded
    op = OpUnderTest(project.op("int8_linear"), project)
    wanted = [Size(1024, 1024), Size(8192, 8192)]
    assert [*figures.sizes(op, config, wanted)] == wanted[:1]
