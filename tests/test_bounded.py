"""Numbers that carry an error bound: the bound holds for computation in the dtype, and is tight."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from opgen.runtime.debug.tolerance import departure, tolerance
from opgen.testing.bounded import DEVIATIONS, Bounded, Doubtful, Unbounded, exact, gamma
from opgen.testing.bounded_namespace import Namespace
from opgen.testing.namespaces import numpy_namespace
from specs.gelu_and_mul import geglu
from specs.layer_norm import layer_norm
from specs.quantize_fp8 import quantize_fp8
from specs.rms_norm import rms_norm

XP = Namespace()
CALLS: dict[str, tuple[Callable[..., Any], tuple[str, ...], dict[str, Any]]] = {
    "rms_norm": (rms_norm, ("row",), {"eps": 1e-5}),
    "layer_norm": (layer_norm, ("row", "row"), {"eps": 1e-5, "normalized_shape": (1,)}),
    "geglu": (geglu, ("rows",), {"approximate": "none"}),
    "geglu tanh": (geglu, ("rows",), {"approximate": "tanh"}),
}
DTYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


def drawn(more: tuple[str, ...], size: int, dtype: Any) -> list[np.ndarray]:
    rng = np.random.default_rng()
    shapes = {"rows": (16, size), "row": (size,)}
    return [rng.standard_normal(shapes[s]).astype(dtype) for s in ("rows", *more)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("size", [2, 33, 4099])
def test_what_the_dtype_gives_is_within_the_bound(name: str, dtype: str, size: int) -> None:
    function, more, attrs = CALLS[name]
    arrays = drawn(more, size, DTYPES[dtype])
    found = function(XP, *map(exact, arrays), **attrs)
    own = function(numpy_namespace(), *arrays, **attrs).astype(np.float64)
    assert (np.abs(own - found.value) <= found.bound).all()
    if dtype == "f32":
        assert np.median(found.bound) < 300 * np.abs(own - found.value).max()
    elif size == 33 and name != "layer_norm":  # all but a few are known exactly to one number
        assert np.mean(found.bound > 0) < 0.03


def newton(m: np.ndarray, bits: int) -> np.ndarray:
    """Return 1 / sqrt(m) by one Newton step from an estimate of `bits` bits."""
    share, exponent = np.frexp(1 / np.sqrt(m))
    estimate = np.ldexp(np.round(np.ldexp(share, bits)), exponent - bits).astype(m.dtype)
    return estimate * (1.5 - np.array(0.5, m.dtype) * m * estimate * estimate)


@pytest.mark.parametrize(
    ("kernel", "dtype"), [("narrow sum", "bf16"), ("one step", "f32"), ("one step", "f64")]
)
def test_bounds_find_what_the_tolerance_does_not(kernel: str, dtype: str) -> None:
    """Bounds find errors that a tolerance would accept.

    The first is a sum of 16 terms in bf16. The second is an inverse root by one Newton step from an
    estimate of 10 bits (in f64, of 24 bits).
    """
    x, weight = drawn(("row",), 16, {**DTYPES, "f64": np.float64}[dtype])
    x, weight = np.tile(x, (20, 1)) * np.linspace(1, 2, 320)[:, None].astype(x.dtype), weight
    bound = rms_norm(XP, exact(x), exact(weight), eps=0.0)
    wide = x.astype(np.float64 if dtype == "f64" else np.float32)
    mean = np.mean(wide * wide, axis=-1, keepdims=True)
    if kernel == "narrow sum":
        total = np.zeros((len(x), 1), x.dtype)
        for column in range(16):
            total = (total + x[:, [column]] * x[:, [column]]).astype(x.dtype)
        inverse = 1 / np.sqrt(total.astype(np.float32) / 16)
    else:
        inverse = newton(mean, 10 if dtype == "f32" else 24)
    own = (wide / np.sqrt(mean) * weight).astype(x.dtype).astype(np.float64)
    y = (wide * inverse * weight).astype(x.dtype).astype(np.float64)
    plain = rms_norm(numpy_namespace(), x.astype("f8"), weight.astype("f8"), eps=0.0)
    assert (
        departure(y, plain, tolerance(plain, dtype, ("f64" if dtype == "f64" else "f32",))) is None
    )
    assert departure(y, bound.value, bound.bound) is not None
    assert departure(own, bound.value, bound.bound) is None


def test_roundings_of_a_sum() -> None:
    u = 2.0**-24
    assert gamma(0, u) == gamma(1, u) == 0
    assert gamma(10, u) == pytest.approx(9 * u)
    assert gamma(10_001, u) == pytest.approx(DEVIATIONS * 100 * u, rel=1e-3)
    assert 2 * exp(-(DEVIATIONS**2) / 2) < 1 / 1400


def test_roundings_of_plain_sums_stay_within() -> None:
    """The rounding errors of a plain sum of 2,000 numbers stay within the bound.

    The numbers are all positive, or of both signs.
    """
    for low in (0.0, -1.0):
        x = np.random.default_rng().uniform(low, 1, (400, 2000)).astype(np.float32)
        plain = np.cumsum(x, axis=1)[:, -1].astype(np.float64)  # NumPy's own sum is pairwise
        found = XP.sum(exact(x), axis=1)
        assert (np.abs(plain - found.value) <= found.bound).all()
        worst = 2000 * 2.0**-24 * np.abs(x.astype(np.float64)).sum(1)
        assert (found.bound < worst / sqrt(2000) * 5).all()


def test_cancellation_shows_in_the_bound() -> None:
    x = exact(np.array([1e4, 1.0], np.float32))
    difference = (x / 3.0) - (x / 3.0)
    assert difference.value.tolist() == [0, 0]
    assert difference.bound[0] > 1e3 * difference.bound[1] > 0


def test_what_is_rounded_by_the_reference_is_in_doubt_between_two_numbers_alone() -> None:
    x = exact(np.array([1.0, 1 + 2.0**-8 + 1e-9], np.float32)) * exact(np.ones(2, np.float32))
    found = XP.astype(x, ml_dtypes.bfloat16)
    assert found.bound[0] == 0 and found.value[0] == 1
    assert found.bound[1] == 2.0**-7  # halfway, except for rounding


def test_a_selection_in_doubt_reaches_to_both() -> None:
    x = exact(np.array([1.0, 2.0], np.float32)) / 3.0
    doubtful = x > float(np.float32(1 / 3))
    assert isinstance(doubtful, Doubtful) and doubtful.doubt.tolist() == [True, False]
    assert doubtful.value.tolist() == [False, True]
    found = XP.where(doubtful, x * 0.0 + 5.0, x * 0.0)
    assert found.value.tolist() == [0, 5] and found.bound[0] >= 5 and found.bound[1] < 1e-5
    both = doubtful & np.array([False, True])
    assert isinstance(both, np.ndarray) and both.tolist() == [False, True]
    assert (doubtful | np.array([True, False])).tolist() == [True, True]
    assert (~doubtful).value.tolist() == [True, False]


def test_constants_are_rounded_as_kernels_round_them() -> None:
    x = exact(np.ones(2, np.float32))
    assert XP.clip(x, min=1.1).bound[0] == pytest.approx(abs(float(np.float32(1.1)) - 1.1))
    assert not XP.clip(x, min=1.5).bound.any()


def test_fp8_is_one_number_or_its_neighbour() -> None:
    x = np.random.default_rng().standard_normal((8, 256)).astype(np.float32)
    attrs = {"block": 128, "out_dtype": "f8e4m3", "column_major": False, "floor": 1e-12}
    q, scale = quantize_fp8(XP, exact(x), **attrs)
    own, _ = quantize_fp8(numpy_namespace(), x, **attrs)
    assert (np.abs(own.astype(np.float64) - q.value) <= q.bound).all()
    assert np.mean(q.bound > 0) < 0.01 and np.isfinite(q.bound).all() and (scale.bound > 0).all()


def test_what_has_no_bound_is_refused() -> None:
    x = exact(np.ones(3, np.float32)) / 3.0
    assert isinstance(x, Bounded)
    for call in (lambda: XP.argsort(x), lambda: XP.cumulative_sum(x), lambda: x**0.5, lambda: x.T):
        with pytest.raises(Unbounded):
            call()
    with pytest.raises(Unbounded, match="complex"):
        exact(np.ones(2, np.complex64))
    with pytest.raises(Unbounded, match="16 bits"):
        _ = exact(np.ones(2, np.float16)) * exact(np.ones(2, ml_dtypes.bfloat16))
