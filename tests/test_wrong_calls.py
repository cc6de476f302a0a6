"""Findings of the matrix of wrong calls: missing errors, unclear messages, and valid calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opgen.testing import OpUnderTest, cases, load
from opgen.testing.draw import draw
from opgen.testing.fits import fits
from opgen.testing.wrong_calls import Tried, WrongCall, wrong_calls

TEST = str(Path(__file__).parents[1] / "generated" / "tests" / "test_ops.py")
WRONG = WrongCall("size", "weight", (np.ones((2, 3), np.float32),), {})


def op(name: str) -> OpUnderTest:
    return load(TEST, name, package="generated", namespace="generated")


def raising(error: Exception) -> Callable[[], Any]:
    def call() -> None:
        raise error

    return call


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (raising(ValueError("f: weight: expected shape (2,), got (3,)")), ""),
        (raising(ValueError("f: x: expected shape (2,) (`n`, n = 2 of weight), got (3,)")), ""),
        (raising(ValueError("f: requires n > 0, got n = 0 (n of weight)")), ""),
        (raising(ValueError("f: x: expected shape (2,), got (3,)")), "ValueError: f: x: "),
        (raising(ValueError("f: weight: the shape is wrong")), "ValueError: f: weight"),
        (raising(ValueError("weight: expected shape (2,), got (3,)")), "ValueError: weight"),
        (
            raising(ValueError("f: weight: expected 2, got 3 (f.cpp:7)")),
            "not in the caller's words",
        ),
        (raising(AssertionError("weight")), "AssertionError: weight"),
        (lambda: None, "it was taken: float32[2, 3], {}"),
    ],
)
def test_what_is_wrong_with_an_ending(call: Callable[[], Any], found: str) -> None:
    tried = Tried()
    tried.hold("eager", "f", WRONG, call)
    assert tried.counts.total() == 1 and tried.failed.total() == len(tried.failures) == bool(found)
    assert not found or tried.failures[0].startswith(f"f (eager, size of weight): {found}")


@pytest.mark.parametrize("name", ["scale", "_scale_eager", "_flat_scale"])
def test_python_names_the_function_that_an_argument_is_missing_from(name: str) -> None:
    """`_flat_scale` takes each tensor of a bundle as an argument."""
    tried, wrong = Tried(), WrongCall("arguments", "x", (), {})
    error = TypeError(f"{name}() missing 1 required positional argument: 'x'")
    tried.hold("eager", "scale", wrong, raising(error))
    assert tried.failures == []


@pytest.mark.parametrize("name", ["rms_norm", "apply_rotary", "adamw_", "varlen_attention"])
def test_right_calls_fit(name: str) -> None:
    subject = op(name)
    for case in cases(subject.op)[:4]:
        assert fits(subject.op, draw(subject.op, case), dict(case.attrs))


def test_wrong_calls_do_not_fit() -> None:
    one, x, w = np.ones(4, np.float32), np.ones((2, 4), np.float32), np.ones(3, np.float32)
    of = op("rms_norm").op
    assert fits(of, [x, one], {"eps": 0.0})
    assert not fits(of, [x, w], {})  # another size
    assert not fits(of, [one, x], {})  # too few dims
    assert not fits(of, [x.astype(np.int32), one], {})
    for eps in (-1.0, float("nan")):
        assert not fits(of, [x, one], {"eps": eps})


def test_each_kind_is_tried() -> None:
    subject = op("layer_norm")
    case = cases(subject.op)[0]
    every = list(wrong_calls(subject, case, few=False))
    assert {wrong.kind for wrong in every} == {"rank", "size", "dtype", "value", "length"}
    few = list(wrong_calls(subject, case, few=True))
    assert len(few) == 5 < len(every)


def test_errors_name_what_decides_a_dtype() -> None:
    """Errors name the inputs and attrs that determine a dtype, including optional inputs."""
    from generated.core import TensorSpec, layer_norm_scale, rms_layer_norm_bwd

    x, row = TensorSpec((3, 4), "bf16"), TensorSpec((4,), "f64")
    each = TensorSpec((3,), "f32")
    with pytest.raises(ValueError, match=r"W == f32.*W = f64.* \(W of weight or bias, T of x\)"):
        layer_norm_scale.infer(x, each, each, None, row, normalized_shape=[4])
    with pytest.raises(TypeError, match="follows from T of x, W of weight, cast_first, got f64"):
        weight = TensorSpec((4,), "bf16")
        rms_layer_norm_bwd.infer(TensorSpec((3, 4), "f64"), x, each, weight, eps=1e-5)
