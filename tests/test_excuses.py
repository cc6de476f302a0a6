"""Excuses of specs: placements that move more than the reference in the framework's ops."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.spec.models.rules import Excuse
from opgen.testing import cases, load
from opgen.testing.excuses import excuse
from opgen.testing.rows import Row, table

TESTS = Path(__file__).parents[1] / "generated" / "tests"


def subject(*excuses: Excuse):
    found = load(
        str(TESTS / "test_ops.py"),
        "silu_and_mul",
        package="generated",
        namespace="generated",
    )
    return replace(found, op=replace(found.op, excuses=excuses))


def test_what_is_excused() -> None:
    op = subject(
        Excuse(reason="by dim", dims=("d",), target="jax"), Excuse(reason="unlike", unlike=True)
    ).op
    assert excuse(op, ("d", "batch"), True, "jax") == "by dim"
    assert excuse(op, ("d",), True, "torch") == ""
    assert excuse(op, ("batch",), True, "jax") == ""
    assert excuse(op, ("batch",), False, "torch") == "unlike"
    op = subject(Excuse(reason="both", dims=("d",), also=("batch",))).op
    assert excuse(op, ("d", "batch"), True, "jax") == "both"
    assert excuse(op, ("d",), True, "jax") == excuse(op, ("batch",), True, "jax") == ""
    op = subject(Excuse(reason="odd", dims=("d",), uneven=True)).op
    assert excuse(op, ("d", "batch"), True, "torch", {"d"}) == "odd"
    assert excuse(op, ("d", "batch"), True, "torch", {"batch"}) == ""


def test_the_pages_list_what_is_excused() -> None:
    page = (TESTS.parents[1] / "docs/jax.md").read_text().splitlines()
    project = load(
        str(TESTS / "test_ops.py"), "relu", package="generated", namespace="generated"
    ).project
    for op in project.ops:
        for each in op.excuses:
            words = () if each.unlike else (op.name, *(each.dims or ()), *(each.also or ()))
            wanted = {f"`{word}`" for word in words}
            rows = [row for row in page if row.endswith(f" | {each.reason} |")]
            assert any(wanted <= {*re.findall("`.*?`", row)} for row in rows), (op.name, each)


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


def test_the_conformance_run_fails_without_the_excuse(capsys) -> None:
    jax = pytest.importorskip("jax")
    from opgen.testing import jax_sharding

    if jax.device_count() < 8:
        pytest.skip("needs 8 devices")
    with pytest.raises(AssertionError):
        jax_sharding.conformance(subject())
    assert "more bytes\n" in capsys.readouterr().out
    jax_sharding.conformance(subject(Excuse(reason="halves", dims=("d",))))
    assert "excused: halves" in capsys.readouterr().out
