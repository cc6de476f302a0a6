"""Checks of `jax.linearize` and `jax.linear_transpose` for any rendered op."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import pytest

from opgen.testing.arrays import flat, mapped
from opgen.testing.cases import cases, doubles
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.jax_checks import conjugate, differentiable, floating, of_floats, precision
from opgen.testing.op_under_test import OpUnderTest

Function = Callable[..., Any]


def conformance(subject: OpUnderTest) -> None:
    """Compare a linearized op with `jax.jvp`, and the transpose of a linear op with its gradient.

    If the op is not linear in an input, the transposition must raise an error that names this
    input.
    """
    case = [*doubles(subject.op), *cases(subject.op, floating=True)][0]
    with precision(subject, case):
        arrays = mapped(jax.device_put, draw(subject.op, case))
        cotangents = filter(floating, flat(draw_cotangents(subject.op, case)))
        given = tuple(jax.device_put(conjugate(ct)) for ct in cotangents)
        function, active = of_floats(subject, case, arrays, differentiable(subject, arrays))
        if subject.forward_mode:
            _linearized(subject.name, function, [*active.values()])
        for name, x in active.items():
            alone = lambda x, name=name: function(*(active | {name: x}).values())  # noqa: E731
            _transposed(f"{subject.name}: {name}", alone, x, given)


def _linearized(what: str, function: Function, primals: Sequence[jax.Array]) -> None:
    keys = jax.random.split(jax.random.key(0), len(primals))
    tangents = [jax.random.normal(key, x.shape, x.dtype) for key, x in zip(keys, primals)]
    found = jax.linearize(function, *primals)[1](*tangents)
    _close(what, found, jax.jvp(function, tuple(primals), tuple(tangents))[1])


def _transposed(what: str, function: Function, x: jax.Array, cotangents: Any) -> None:
    (gradient,), (elsewhere,) = (jax.vjp(function, at)[1](cotangents) for at in (x, -0.7 * x))
    if not np.any(gradient):  # the result is constant
        return
    transpose = jax.linear_transpose(function, x)
    if _same(gradient, elsewhere):
        _close(what, transpose(cotangents), (gradient,))
        return
    op, name = what.split("[")[0].split(": ")
    with pytest.raises(TypeError, match=f"{re.escape(op)}: it is not linear in {name}"):
        transpose(cotangents)


def _close(what: str, found: Any, wanted: Any) -> None:
    for y, exact in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert (y.dtype, y.shape) == (exact.dtype, exact.shape), what
        assert _same(y, exact), f"{what}: {y} is not {exact}"


def _same(a: jax.Array, b: jax.Array) -> bool:
    """Return whether all elements agree up to rounding."""
    wide = np.promote_types(a.dtype, np.float32)
    tolerance = 256 * float(np.finfo(wide).eps)
    found, wanted = (np.asarray(x.astype(wide)) for x in (a, b))
    scale = max(float(np.abs(wanted).max(initial=0)), 1.0)
    return bool(np.allclose(found, wanted, rtol=tolerance, atol=tolerance * scale, equal_nan=True))
