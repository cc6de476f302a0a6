"""A failing check of a rendered test reports the difference, its place, and a remedy."""

from __future__ import annotations

import ast
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import opgen.testing
from opgen.testing import oracle
from opgen.testing.environment import Case
from opgen.testing.same import none_of, same, same_bits
from opgen.testing.special_values import _same_nans

FILES = sorted(Path(opgen.testing.__file__).parent.rglob("*.py"))


def test_every_assertion_of_the_harness_says_something() -> None:
    bare = [
        f"{path.name}:{node.lineno}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Assert) and node.msg is None
    ]
    assert len(FILES) > 40 and bare == []


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int64, np.bool_])
def test_what_differs_is_named_with_its_place(dtype: type) -> None:
    a = np.array([[1, 0], [1, 1]]).astype(dtype)
    b = a.copy()
    same_bits(a, b, "y")
    same_bits(None, None, "y")
    b[1, 0] = 0
    with pytest.raises(AssertionError, match=r"^y is \w.* at \[1, 0\], not .*: 1 of 4 elements"):
        same_bits(a, b, "y")
    with pytest.raises(AssertionError, match=r"^the shape of y: \(2, 2\), not \(1, 2\)$"):
        same_bits(a, b[:1], "y")
    with pytest.raises(AssertionError, match="^the dtype of y: .*, not float16$"):
        same_bits(a, a.astype(np.float16), "y")
    with pytest.raises(AssertionError, match="^y is present, and should not be$"):
        same_bits(a, None, "y")


def test_not_a_number_is_the_same_as_itself_and_a_negative_zero_is_none() -> None:
    same_bits(np.array([np.nan]), np.array([np.nan]), "y")
    same_bits(np.zeros((2, 0)), np.zeros((2, 0)), "y")
    with pytest.raises(AssertionError, match=r"^y is -0.0 at \[\], not 0.0"):
        same_bits(np.array(-0.0), np.array(0.0), "y")
    with pytest.raises(AssertionError, match="^the size: 3, not 4$"):
        same(3, 4, "the size")
    with pytest.raises(AssertionError, match="^2 rows are wrong:\na\nb$"):
        none_of(["a", "b"], "rows are wrong")


def test_a_reference_that_drops_too_late_is_advised() -> None:
    class Subject:
        name = "kept"

    nan, clean = np.array([np.nan, 0.0]), np.zeros(2)
    with pytest.raises(AssertionError, match=r"drop them before, `f\(where\(keep, x, 0\)\)`"):
        _same_nans(Subject(), "nan at x[0]", {"x": nan}, [clean])  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match=r"by the reference at \[\]$"):
        _same_nans(Subject(), "nan at x[0]", {"x": clean}, [nan])  # type: ignore[arg-type]


def test_references_may_differ_by_rounding_and_kernels_may_not(monkeypatch) -> None:
    case = Case((), ())
    wanted = np.array([1.0, 2.0, np.nan], np.float32)
    rounded = np.nextafter(wanted, np.float32(9))
    monkeypatch.setattr(oracle, "may_run_reference", lambda subject: subject == "reference")
    for subject in ("kernel", "reference"):
        oracle.agree(subject, case, wanted.copy(), wanted, "y")
        oracle.agree(subject, case, None, None, "y")
        with pytest.raises(AssertionError, match="^y"):
            oracle.agree(subject, case, None, wanted, "y")
        with pytest.raises(AssertionError, match="^y"):
            oracle.agree(subject, case, wanted + np.float32(0.1), wanted, "y")
        with pytest.raises(AssertionError, match="y"):
            oracle.agree(subject, case, wanted.astype(np.float64), wanted, "y")
    oracle.agree("reference", case, rounded, wanted, "y")
    with pytest.raises(AssertionError, match="differ in their bits"):
        oracle.agree("kernel", case, rounded, wanted, "y")
