"""Random values of rendered tests: seeds like those of frameworks, and offsets for each row."""

from __future__ import annotations

import importlib
import random
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from generated._opgen.core.runtime import are_offsets, ascending, distinct
from opgen.compiler.pipeline import load
from opgen.ir.op import Op
from opgen.ir.resolve import resolve_op
from opgen.language.scope import Scope
from opgen.output.render import render
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.parse import parse_spec
from opgen.testing.cases import cases, samples
from opgen.testing.draw import draw
from opgen.testing.environment import Case, holds

HEAD = """
spec = 1
[ops.op]
doc         = "An op."
grad        = "reference"
sharding    = "replicate"
"""
Y = 'outputs.y   = { dtype = "f32", shape = "" }\n'


def resolved(text: str) -> Op:
    spec, found = parse_spec(
        SourceFile(Path("family.toml"), HEAD + text + ("" if "outputs." in text else f"\n{Y}"))
    )
    assert spec is not None, found
    scope = Scope(spec.ops["op"])
    return resolve_op(
        scope, {"op": scope}, family="op", spec="op.toml", sources={}, read=str, read_kernel=str
    )


@pytest.mark.parametrize("said", ["", ', values = "seed >= 0"', ', values = "seed != 3"'])
def test_a_seed_is_one_of_63_bits(said: str) -> None:
    op = resolved(f'inputs.seed = {{ dtype = "i64", shape = "", seed = true{said} }}')
    seeds = [draw(op, Case((), (), seed=n))[0] for n in range(64)]
    assert {(s.shape, s.dtype) for s in seeds} == {((), np.dtype(np.int64))}
    drawn = sorted(map(int, seeds))
    assert len({*drawn}) == 64 and drawn[0] >= 0 and drawn[-1].bit_length() == 63
    assert sum(s >= 2**62 for s in drawn) > 16


def test_a_seed_within_limits() -> None:
    op = resolved('inputs.seed = { dtype = "i64", shape = "", seed = true, values = "seed < 100" }')
    assert all(draw(op, Case((), (), seed=n))[0] < 100 for n in range(16))


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 2), (0, 4), (3, 1), (1,)])
def test_each_row_of_offsets_has_its_own_bounds(shape: tuple[int, ...]) -> None:
    op = resolved("""
        inputs.x   = { dtype = "f32", shape = "e" }
        inputs.ptr = { dtype = "i64", shape = "*b n+1", values = "offsets(e)" }
        """)
    *b, last = shape
    e = 0 if last == 1 else 9
    case = Case((), (("e", e), ("b", tuple(b)), ("n", last - 1)))
    assert holds(op, case)
    _, ptr = draw(op, case)
    assert ptr.shape == shape and (ptr[..., 0] == 0).all() and (ptr[..., -1] == e).all()
    assert (np.diff(ptr) >= 0).all()
    if shape == (3, 4):
        assert len({*map(bytes, ptr)}) == 3, "not one row for all"


def test_what_is_drawn_is_what_a_call_is_held_to() -> None:
    """Random offsets pass the check of `OPGEN_CHECK_VALUES=1`, which treats each row separately."""
    right = np.array([[0, 2, 6], [0, 6, 6]])
    assert are_offsets(right, 6).all() and are_offsets(right).all()
    wrong = np.array([[0, 7, 6], [1, 3, 5]])
    assert are_offsets(wrong, 6).tolist() == [[True, True, False], [False, True, False]]
    assert are_offsets(right[0], 6).all() and not are_offsets(right[0, ::-1], 6).any()


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 2), (0, 4), (3, 1), (3, 0)])
def test_each_row_ascends_or_has_no_element_twice(shape: tuple[int, ...]) -> None:
    op = resolved("""
        inputs.x     = { dtype = "f32", shape = "e" }
        inputs.order = { dtype = "u8", shape = "*b n", values = "distinct(order) and order < e" }
        inputs.at    = { dtype = "i64", shape = "*b n", values = "ascending(at) and 0 <= at < e" }
        inputs.ticks = { dtype = "f64", shape = "*b n", values = "ascending(ticks) and ticks > 0" }
        inputs.set   = { dtype = "i32", shape = "*b n", values = "ascending(set) and distinct(set)" }
        """)
    *b, n = shape
    case = Case((), (("e", max(n, 1)), ("b", tuple(b)), ("n", n)))
    assert holds(op, case)
    _, order, at, ticks, unlike = draw(op, case)
    assert all(array.shape == shape for array in (order, at, ticks, unlike))
    assert (np.sort(order) == np.arange(n)).all() and at.max(initial=0) < max(n, 1)
    assert (np.diff(at) >= 0).all() and (np.diff(ticks) >= 0).all() and (np.diff(unlike) > 0).all()
    if n > 1:
        assert not holds(op, Case((), (("e", n - 1), ("b", tuple(b)), ("n", n)))) or 0 in shape
    if shape == (3, 4):
        assert len({*map(bytes, order)}) > 1, "not one row for all"


def test_a_row_that_falls_or_repeats_is_refused() -> None:
    array = np.array([[3, 3, 5, 4], [2, 0, 2, 2]])
    assert ascending(array).tolist() == [[True, True, True, False], [True, False, True, True]]
    assert distinct(array).tolist() == [[True, False, True, True], [True, True, False, False]]
    assert distinct(array[:, :0]).shape == ascending(array[:, :0]).shape == (2, 0)


def test_a_call_checks_what_rows_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = tmp_path / "family.toml"
    spec.write_text("""spec = 1
[ops.gathered]
doc          = "An op."
inputs.order = { dtype = "i64", shape = "*b n", values = "distinct(order) and 0 <= order < n" }
outputs.y    = { dtype = "f32", shape = "*b n" }
grad         = "none"
sharding     = "replicate"
kernels      = ["cpu"]
""")
    project, _, _ = load([spec], Config(tmp_path))
    assert project is not None
    for file in render(project, ["core"]):
        path = tmp_path / "rows" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    monkeypatch.syspath_prepend(tmp_path)
    core = importlib.import_module("rows.core")
    bind = importlib.import_module("rows.core._gathered").bind
    for rows, wrong in [
        ([[0, 2, 1], [2, 1, 0]], None),
        ([[0, 2, 1], [2, 1, 2]], r"got 2 at \[1, 2\]"),
        ([[0, 3, 1], [2, 1, 0]], r"got 3 at \[0, 1\]"),
    ]:
        given = {"arrays": {"order": [np.array(rows)]}}
        with pytest.raises(ValueError, match=wrong) if wrong else nullcontext():
            bind(core.TensorSpec((2, 3), "i64"), **given)


def test_a_case_whose_results_have_no_gradient_is_not_differentiated() -> None:
    """A case whose results are an empty list has no gradient to test."""
    op = resolved("""
        inputs.x     = { dtype = "f32", shape = "sum(sizes)" }
        attrs.sizes  = { type = "int[]", min = 0 }
        dims.pieces  = "len(sizes)"
        outputs.y    = { dtype = "f32", shape = "sizes[i]", list = "pieces" }
        """)
    given = [dict(case.attrs)["sizes"] for case in cases(op)]
    assert () in given
    taught = [dict(case.attrs)["sizes"] for case in cases(op, floating=True)]
    assert taught and () not in taught


def test_a_sample_means_a_form_and_leaves_the_rest_open() -> None:
    op = resolved("""
        inputs.x = { dtype = "f32", shape = ["m n", "k"] }
        inputs.y = { dtype = "f32", shape = "d" }
        attrs.p  = { type = "int", min = 3 }
        require  = ["d % 4 == 0"]
        samples  = [{ k = 5, d = 8, p = 3 }, { d = 12 }]
        """)
    one, other = samples(op)
    assert one.forms == (("x", 1),) and {("k", 5), ("d", 8)} <= {*one.sizes}
    assert other.forms == () and dict(other.sizes)["d"] == 12 and holds(op, other)


def test_a_drawn_call_has_the_largest_tolerance_of_the_samples() -> None:
    spec = """
        inputs.x = { dtype = "f32", shape = "n" }
        samples  = [{ n = 5, rtol = 1e-2 }, { n = 7, rtol = 1e-3 }, { n = 9 }]
        """
    op = resolved(spec)
    assert [case.rtol for case in samples(op)] == [1e-2, 1e-3, None]
    assert {case.rtol for case in cases(op)[3:]} == {1e-2}
    assert {case.rtol for case in cases(resolved(spec.partition("samples")[0]))} == {None}


def test_a_sample_that_omits_a_required_dtype_has_one() -> None:
    op = resolved("""
        dtypes.T  = ["f32", "f16"]
        inputs.x  = { dtype = "f32", shape = "n" }
        attrs.T   = { type = "dtype" }
        outputs.y = { dtype = "T", shape = "n" }
        samples   = [{ n = 5 }, { n = 7, T = "f16" }]
        """)
    one, other = samples(op)
    assert dict(one.attrs)["T"] in ("f32", "f16") and dict(one.sizes)["n"] == 5
    assert dict(other.attrs) == {"T": "f16"}


def test_a_list_that_is_none_stays_none_where_other_ints_vary() -> None:
    pytest.importorskip("torch")
    from opgen.testing.torch_graphs import _ints

    op = resolved("""
        inputs.x     = { dtype = "f32", shape = "n" }
        attrs.recipe = { type = "int[3]", optional = true }
        attrs.count  = { type = "int", optional = true }
        """)
    recipe, count = op.attrs
    rng = random.Random(0)
    assert _ints(recipe, None, rng, 9) is None and _ints(count, None, rng, 9) in range(2, 10)
    assert len(_ints(recipe, (1, 2, 3), rng, 9)) == 3
