"""Excuses, the listed reasons for which an op may move more bytes than its reference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from opgen.testing import cases, load
from opgen.testing.excuses import EXCUSES, UNLIKE, Excuse, excuse
from opgen.testing.rows import Row, table

TESTS = Path(__file__).parents[1] / "generated" / "tests"


def subject(name: str = "silu_and_mul"):
    return load(str(TESTS / "test_ops.py"), name, package="generated", namespace="generated")


def test_what_is_excused(monkeypatch: pytest.MonkeyPatch) -> None:
    op = subject().op
    case = cases(op)[0]
    assert excuse(op, case, ("batch",), True) == ""
    assert excuse(op, case, ("batch",), False) == UNLIKE
    assert "`d`" in excuse(op, case, ("batch", "d"), True)
    both, odd = Excuse("both", ("lead", "t")), Excuse("odd", ("hk",), uneven=True)
    monkeypatch.setitem(EXCUSES, "rotary", (both, odd))
    op = subject("rotary").op
    case = cases(op)[0]
    assert excuse(op, case, ("t", "lead"), True) == "both"
    assert excuse(op, case, ("t",), True) == excuse(op, case, ("hk",), True) == ""
    assert excuse(op, case, ("t", "hk"), True, {"hk"}) == "odd"
    assert excuse(op, case, ("t", "hk"), True, {"t"}) == ""


def test_what_an_op_computes_whole_depends_on_the_call() -> None:
    op = subject("conv2d").op
    groups = {dict(case.attrs).get("groups", 1) == 1: case for case in cases(op)}
    assert excuse(op, groups[True], ("k",), True) == ""
    assert "`k`" in excuse(op, groups[False], ("k",), True)


def test_a_dim_that_stages_split_needs_no_excuse() -> None:
    op = subject("rms_norm").op
    assert [*dict(op.stages)] == ["norm"]
    assert excuse(op, cases(op)[0], ("norm",), True) == ""


def test_the_page_lists_what_is_excused() -> None:
    page = (TESTS.parents[1] / "docs/language/sharding.md").read_text().splitlines()
    assert EXCUSES
    for op, listed in EXCUSES.items():
        for each in listed:
            rows = [row for row in page if row.endswith(f" | {each.reason} |")]
            assert any(f"`{op}`" in row for row in rows), (op, each)


def test_dims_with_shards_of_unlike_sizes() -> None:
    pytest.importorskip("torch")
    from opgen.testing.torch_placements import Placement, uneven

    op = subject().op
    case = next(each for each in cases(op) if dict(each.sizes) == {"batch": (8,), "d": 64})
    for mesh, split, odd in (
        ((4,), "0", set()),
        ((3,), "0", {"batch"}),
        ((4, 3), "01", {"d"}),
        ((4, 4), "00", {"batch"}),
    ):
        placed = Placement(mesh, (tuple(map(int, split)),), ())
        assert uneven(op, case, placed) == odd


def test_rows_and_their_table() -> None:
    case = cases(subject().op)[0]
    row = Row("op", "forward", case, None, ours=2, plain=1)
    excused, fewer = replace(row, excuse="why"), replace(row, ours=1, excuse="why")
    assert row.verdict == "more bytes" and row.more
    assert excused.verdict == "excused: why" and not excused.more
    assert not fewer.verdict and not fewer.excused
    assert table([row, excused, fewer], "jnp").split()[-7:] == ["op", "3", "0", "0", "0", "1", "1"]


def test_the_conformance_run_fails_without_the_excuse(
    capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    jax = pytest.importorskip("jax")
    from opgen.testing import jax_sharding

    if jax.device_count() < 8:
        pytest.skip("needs 8 devices")
    relu = subject("relu")
    found = next(iter(jax_sharding.rows(relu, cases(relu.op))))
    more = replace(found, ours=2, plain=1)
    monkeypatch.setattr(jax_sharding, "rows", lambda *_: [replace(more, excuse="why")])
    jax_sharding.conformance(relu)
    assert "excused: why\n" in capsys.readouterr().out
    monkeypatch.setattr(jax_sharding, "rows", lambda *_: [more])
    with pytest.raises(AssertionError):
        jax_sharding.conformance(relu)
    assert "more bytes\n" in capsys.readouterr().out
