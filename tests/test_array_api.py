"""References may use the whole array API: each function accepts the arrays of rendered tests.

Each call runs with NumPy in float64 and with numbers that carry an error bound. The results with
bounds must be the same, or must report that no bound is known. Each call also runs with arrays of
its own dtype.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from array_api_compat import torch as torch_namespace

from opgen.testing.bounded import Bounded, Doubtful, Unbounded, exact
from opgen.testing.bounded_namespace import Namespace
from opgen.testing.namespaces import jax_namespace, numpy_namespace

UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh erf erfc exp expm1
    floor imag isfinite isinf isnan log log1p log2 log10 logical_not negative positive real
    reciprocal round sign signbit sin sinh square sqrt tan tanh trunc""".split()
BINARY = """add atan2 bitwise_and bitwise_or bitwise_xor copysign divide equal floor_divide greater
    greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum
    minimum multiply nextafter not_equal pow remainder subtract""".split()
REDUCTIONS = """all any argmax argmin count_nonzero cumulative_prod cumulative_sum max mean min prod
    std sum var""".split()
REDUCED: list[dict[str, Any]] = [
    {},
    {"axis": 0},
    {"axis": -1},
    {"axis": 1, "keepdims": True},
    {"axis": (0, 1)},
    {"axis": ()},
    {"keepdims": True},
    {"dtype": np.float64},
]
# By function: calls that take the namespace, the function itself and two arrays.
OTHERS: dict[str, list[Callable[..., Any]]] = {
    "arange": [lambda xp, f, x, y: f(5, dtype=x.dtype)],
    "argsort": [lambda xp, f, x, y: f(x, axis=-1, descending=True)],
    "asarray": [lambda xp, f, x, y: f(x), lambda xp, f, x, y: f(1.0, dtype=x.dtype)],
    "astype": [
        lambda xp, f, x, y: f(x, xp.float64),
        lambda xp, f, x, y: f(x, xp.float32, copy=False),
        lambda xp, f, x, y: f(x, xp.int32),
    ],
    "broadcast_arrays": [lambda xp, f, x, y: f(x, y)],
    "broadcast_to": [lambda xp, f, x, y: f(x, (2, *x.shape))],
    "can_cast": [lambda xp, f, x, y: f(x.dtype, xp.float64)],
    "clip": [
        lambda xp, f, x, y: f(x, -1.0, 1.0),
        lambda xp, f, x, y: f(x, None, 1),
        lambda xp, f, x, y: f(x),
    ],
    "concat": [lambda xp, f, x, y: f([x, y]), lambda xp, f, x, y: f([x, y], axis=None)],
    "diff": [lambda xp, f, x, y: f(x)],
    "expand_dims": [lambda xp, f, x, y: f(x, axis=0)],
    "eye": [lambda xp, f, x, y: f(3, dtype=x.dtype)],
    "finfo": [lambda xp, f, x, y: float(f(x.dtype).max) > 1],
    "flip": [lambda xp, f, x, y: f(x), lambda xp, f, x, y: f(x, axis=0)],
    "full": [lambda xp, f, x, y: f(x.shape, 1.0, dtype=x.dtype)],
    "full_like": [lambda xp, f, x, y: f(x, 3.0), lambda xp, f, x, y: f(x, 3, dtype=xp.int32)],
    "isdtype": [
        lambda xp, f, x, y: f(x.dtype, "real floating"),
        lambda xp, f, x, y: f(x.dtype, ("integral", "complex floating")),
    ],
    "linspace": [lambda xp, f, x, y: f(0.0, 1.0, num=5, dtype=x.dtype)],
    "matmul": [lambda xp, f, x, y: f(x, xp.matrix_transpose(y))],
    "matrix_transpose": [lambda xp, f, x, y: f(x)],
    "meshgrid": [lambda xp, f, x, y: f(x[0, :], y[:, 0])],
    "moveaxis": [lambda xp, f, x, y: f(x, 0, 1)],
    "nonzero": [lambda xp, f, x, y: f(x)],
    "ones": [lambda xp, f, x, y: f(x.shape, dtype=x.dtype)],
    "ones_like": [lambda xp, f, x, y: f(x, dtype=xp.float32)],
    "permute_dims": [lambda xp, f, x, y: f(x, (1, 0))],
    "repeat": [lambda xp, f, x, y: f(x, 2, axis=0)],
    "reshape": [lambda xp, f, x, y: f(x, (x.size,))],
    "roll": [lambda xp, f, x, y: f(x, 1)],
    "searchsorted": [lambda xp, f, x, y: f(x[0, :], y[0, :])],
    "sort": [lambda xp, f, x, y: f(x, axis=-1, descending=True)],
    "squeeze": [lambda xp, f, x, y: f(x[:1], axis=0)],
    "stack": [lambda xp, f, x, y: f([x, y], axis=-1)],
    "take": [lambda xp, f, x, y: f(x, xp.asarray([0, 2]), axis=0)],
    "take_along_axis": [lambda xp, f, x, y: f(x, xp.argsort(x, axis=0), axis=0)],
    "tensordot": [lambda xp, f, x, y: f(x, y, axes=2)],
    "tile": [lambda xp, f, x, y: f(x, (2, 1))],
    "tril": [lambda xp, f, x, y: f(x)],
    "triu": [lambda xp, f, x, y: f(x, k=1)],
    "unique_values": [lambda xp, f, x, y: f(x)],
    "unstack": [lambda xp, f, x, y: f(x, axis=1)],
    "vecdot": [lambda xp, f, x, y: f(x, y)],
    "where": [lambda xp, f, x, y: f(x > 0, x, y), lambda xp, f, x, y: f(x > 0, x, 0.0)],
    "zeros": [lambda xp, f, x, y: f(x.shape, dtype=x.dtype)],
    "zeros_like": [lambda xp, f, x, y: f(x), lambda xp, f, x, y: f(x, dtype=xp.float32)],
}
# Operators and conversions of Python, which are not functions of a namespace.
OPERATORS: list[Callable[..., Any]] = [
    lambda xp, f, x, y: +x,
    lambda xp, f, x, y: x // 2,
    lambda xp, f, x, y: x % 2,
    lambda xp, f, x, y: 2**x,
    lambda xp, f, x, y: x**0.5,
    lambda xp, f, x, y: float(x[0, 0]),
    lambda xp, f, x, y: bool(xp.sum(x) > 0),
    lambda xp, f, x, y: x[x > 0],
]


def calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in UNARY:
        yield name, lambda xp, f, x, y: f(x)
    for name in BINARY:
        yield name, lambda xp, f, x, y: f(x, y)
        yield name, lambda xp, f, x, y: f(x, 2.0)
    for name in REDUCTIONS:
        for options in REDUCED:
            yield name, lambda xp, f, x, y, options=options: f(x, **options)
    for name, several in OTHERS.items():
        yield from ((name, call) for call in several)
    yield from (("abs", call) for call in OPERATORS)


def leaves(found: Any) -> list[np.ndarray]:
    if isinstance(found, list | tuple):
        return [leaf for each in found for leaf in leaves(each)]
    return [np.asarray(found.value if isinstance(found, Bounded | Doubtful) else found)]


@pytest.mark.parametrize("shape", [(3, 4), (3, 0), (0, 4)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.int32, np.bool_])
def test_each_function_takes_what_tests_give_it(dtype: Any, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape).astype(dtype) for _ in range(2)]
    floats = np.dtype(dtype).kind not in "bi"
    plain, bounded = numpy_namespace(), Namespace()
    done = 0
    for name, call in calls():
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                wide = [a.astype(np.float64) if floats else a for a in arrays]
                wanted = leaves(call(plain, getattr(plain, name), *wide))
                if floats:  # functions that NumPy lacks for f16 are not needed for bf16
                    call(plain, getattr(plain, name), *(a.astype(np.float16) for a in arrays))
            except (AttributeError, IndexError, TypeError, ValueError):
                continue  # not a valid call: the reference itself would be wrong
            call(plain, getattr(plain, name), *arrays)
            try:
                found = leaves(call(bounded, getattr(bounded, name), *map(exact, arrays)))
            except Unbounded:
                continue
        done += 1
        assert [x.shape for x in found] == [x.shape for x in wanted], name
        for a, b in zip(found, wanted):
            np.testing.assert_allclose(a.astype(float), b.astype(float), 1e-2, 1e-2, err_msg=name)
    assert done > 40


@pytest.mark.parametrize("namespace", [numpy_namespace(), jax_namespace(), torch_namespace])
def test_each_namespace_has_each_function(namespace: Any) -> None:
    names = {"bfloat16", "float8_e4m3fn", "float8_e5m2", *(name for name, _ in calls())}
    assert [name for name in sorted(names) if not hasattr(namespace, name)] == []


def test_a_product_of_nothing_is_one_and_its_bound_holds() -> None:
    x = np.random.default_rng(1).standard_normal((64, 5)).astype(np.float32)
    found = Namespace().prod(exact(x), axis=-1)
    off = np.abs(np.prod(x, axis=-1) - np.prod(x.astype(np.float64), axis=-1))
    assert (off <= found.bound).all() and found.bound.max() < 1e-4
    empty = Namespace().prod(exact(x[:, :0]), axis=-1)
    assert (empty.value == 1).all() and empty.sure


def test_a_function_of_what_it_is_not_defined_for_is_nan() -> None:
    for name in ("sqrt", "log", "log1p", "log2"):
        with np.errstate(all="ignore"):
            assert np.isnan(getattr(Namespace(), name)(exact(np.array([-2.0]))).value).all()
