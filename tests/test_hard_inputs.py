"""Errors on hard inputs: the page shows the measured values, and lost numbers are found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import generated
from bench import hard_inputs, native
from bench.hard_inputs import MORE, Error, errors, from_json, hard, to_json
from bench.hard_inputs_page import MEASURED, PAGE, page, reasons
from opgen.bench.sizes import in_dtype, sample_of
from opgen.testing import load
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest


@pytest.fixture(scope="module")
def negate() -> OpUnderTest:
    test = Path(generated.__file__).parent / "tests" / "test_ops.py"
    return load(str(test), "tensor_negate", package="generated", namespace="generated")


def measured(subject: OpUnderTest, peer: Callable[..., torch.Tensor]) -> list[Error]:
    return list(errors(subject, peer, "f32", draws=1))


def test_page() -> None:
    assert PAGE.read_text() == page(json.loads(MEASURED.read_text()))


def test_larger_errors_have_a_reason() -> None:
    found = from_json(json.loads(MEASURED.read_text()))
    assert {each.op for each in found if each.worse} == {*reasons()}


def test_errors_are_read_as_written() -> None:
    found = [Error("f", "f32", "huge", r, 1.5, float("inf")) for r in ("y", "dx")]
    assert from_json(json.loads(to_json(found, 4))) == found


@pytest.mark.parametrize("name", sorted({*native.torch_peers()} - hard_inputs.UNPAIRED))
def test_every_op_is_called_in_f32(negate: OpUnderTest, name: str) -> None:
    """Every op is called in f32, also at the project's own sizes, with its first kind of call."""
    op = negate.project.op(name)
    cases = {inputs: hard_inputs._grown(op, "f32", inputs) for inputs in hard("f32")}
    sample = sample_of(op)
    takes = sample is not None and in_dtype(op, sample, "f32") is not None
    assert all((case is not None) == takes for case in cases.values())


def test_exact_op_has_no_error(negate: OpUnderTest) -> None:
    found = measured(negate, torch.neg)
    assert {each.inputs for each in found} == {*hard("f32")}
    assert all(each.ours == each.native == 0 for each in found)


@pytest.mark.parametrize("units", [1, 64])
def test_units_of_the_largest_element(negate: OpUnderTest, units: int) -> None:
    """Errors are in units of epsilon times the largest element."""

    def off(x: torch.Tensor) -> torch.Tensor:
        y = -x.double()
        y.view(-1)[0] += units * torch.finfo(x.dtype).eps * y.abs().max()
        return y

    for each in measured(negate, off):
        assert each.native == pytest.approx(units, rel=1e-6)


def test_lost_numbers(negate: OpUnderTest) -> None:
    """A native function that overflows or divides 0 by 0 has an infinite error."""
    found = measured(negate, lambda x: -x * x / x)
    assert {e.inputs for e in found if e.native == float("inf")} >= {"huge", "zero rows"}


def test_worse() -> None:
    def worse(ours: float, native: float) -> bool:
        return Error("op", "f32", "normal", "y", ours, native).worse

    assert worse(1.3, 1.0) and worse(float("inf"), 2.0)
    assert not worse(0.9, 0.1) and not worse(1.2, 1.0)


@pytest.mark.parametrize(("ours", "drawn"), [(1.5, MORE), (1.2, 1)])
def test_what_seems_larger_is_drawn_again(
    negate: OpUnderTest, monkeypatch: pytest.MonkeyPatch, ours: float, drawn: int
) -> None:
    """If our error seems larger than the native one, more inputs are drawn.

    The results are the op's and the native function's largest errors over all draws.
    """
    seeds: list[int] = []

    def both(subject: object, case: Case, *_: object) -> list[tuple[str, float, float]]:
        seeds.append(case.seed)
        return [("y", ours, 1.0 + case.seed / 100)]

    monkeypatch.setattr(hard_inputs, "_measured", both)
    found = measured(negate, torch.neg)
    assert seeds == [*range(drawn)] * len(hard("f32"))
    assert {(e.ours, e.native) for e in found} == {(ours, 1.0 + (drawn - 1) / 100)}
