"""Results and gradients of the reference in float64, and a check that results are close to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from opgen.language.dtypes import DTYPES, accum
from opgen.runtime.debug.tolerance import EPS as EPS
from opgen.runtime.debug.tolerance import ROUNDED, Departure, departure, tolerance
from opgen.runtime.debug.tolerance import STEPS as STEPS
from opgen.runtime.debug.tolerance import epsilon as rounding
from opgen.testing.arrays import applied, flat, mapped, named, replaced
from opgen.testing.built import may_run_reference
from opgen.testing.cases import tolerance_of
from opgen.testing.environment import Case, environment, gradient_of, numpy_dtype
from opgen.testing.namespaces import jax_namespace, numpy_namespace
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.same import same, same_bits


def wide(array: np.ndarray) -> np.ndarray:
    """Return floats as float64, complex numbers as complex128, and other arrays unchanged."""
    if np.issubdtype(array.dtype, np.integer) or array.dtype == bool:
        return array
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def attributes(subject: OpUnderTest, case: Case) -> dict[str, object]:
    """Return the attrs of a case, in the form in which a caller passes them."""
    return dict(case.attrs)


def all_attributes(subject: OpUnderTest, case: Case) -> dict[str, Any]:
    """Return all attrs of a case for a reference. Attrs that the case omits have their defaults."""
    values = environment(subject.op, case)
    return {attr.name: values[attr.name] for attr in subject.op.attrs}


def results(
    subject: OpUnderTest, case: Case, arrays: list[Any], *, widen: Callable[..., Any] = wide
) -> list[Any]:
    """Return the results of the reference, computed in float64.

    A result is an array, a list of arrays, or None if it is absent. `widen` converts the inputs, by
    default to float64. Another function selects another precision.
    """
    attrs = all_attributes(subject, case)
    with np.errstate(all="ignore"):  # a NaN of the reference is not a fault of a kernel
        given = subject.reference(numpy_namespace(), *mapped(widen, arrays), **attrs)
    return mapped(np.asarray, subject.results_of(given))


def gradients(
    subject: OpUnderTest, case: Case, arrays: list[Any], cotangents: list[Any]
) -> dict[str, np.ndarray]:
    """Return each floating-point input's gradient, from autodiff of the reference in float64.

    PyTorch computes the gradients, or JAX if PyTorch is not installed. Complex gradients follow
    PyTorch's convention, which is the conjugate of JAX's.
    """
    if find_spec("torch") is None:
        return gradients_by_jax(subject, case, arrays, cotangents)
    import array_api_compat.torch as xp
    import torch

    tensors = mapped(lambda a: torch.from_numpy(np.array(wide(a))), arrays)
    active = {
        name: tensor.requires_grad_()
        for name, tensor in named(subject.op.inputs, tensors)
        if name in _differentiable(subject, arrays)
    }
    given = subject.reference(xp, *tensors, **all_attributes(subject, case))
    pairs = [
        (y, torch.from_numpy(np.array(wide(c))))
        for y, c in zip(flat(_taught(subject, given)), flat(cotangents))
        if y is not None and y.requires_grad
    ]
    found: Sequence[torch.Tensor | None] = [None] * len(active)
    if pairs:  # empty if no result depends on an input, as in a sum over zero elements
        outputs, pulled = zip(*pairs)
        found = torch.autograd.grad(outputs, tuple(active.values()), pulled, allow_unused=True)
    return {
        name: np.zeros(tensor.shape) if grad is None else grad.numpy()
        for (name, tensor), grad in zip(active.items(), found)
    }


def _taught(subject: OpUnderTest, given: object) -> list[Any]:
    """Return a reference's results, with None for each result that is not differentiable."""
    pairs = zip(subject.op.outputs, subject.results_of(given))
    return [y if t.differentiable else applied(lambda _: None, y) for t, y in pairs]


def _differentiable(subject: OpUnderTest, arrays: list[Any]) -> tuple[str, ...]:
    """Return the names of the floating-point arrays that have a gradient."""
    found = []
    for info, given in zip(subject.op.inputs, arrays):
        for name, array in named([info], [given]) if info.differentiable else ():
            if array is not None and wide(array).dtype.kind in "fc":
                found.append(name)
    return tuple(found)


def gradients_by_jax(
    subject: OpUnderTest, case: Case, arrays: list[Any], cotangents: list[Any]
) -> dict[str, np.ndarray]:
    """Return the gradients that `gradients` returns, but computed by JAX in float64."""
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(True):
        inputs = mapped(lambda a: jax.device_put(wide(a)), arrays)
        leaves = flat(inputs)
        names = [name for name, _ in named(subject.op.inputs, inputs)]
        floats = {name: names.index(name) for name in _differentiable(subject, arrays)}

        def outputs(*active: jax.Array) -> list[Any]:
            given = list(leaves)
            for place, x in zip(floats.values(), active):
                given[place] = x
            whole = replaced(inputs, given)
            found = subject.reference(jax_namespace(), *whole, **all_attributes(subject, case))
            results = flat(_taught(subject, found))
            return [y for y in results if y is not None and jnp.issubdtype(y.dtype, jnp.inexact)]

        made, pull = jax.vjp(outputs, *(leaves[n] for n in floats.values()))
        pulled = [
            jax.device_put(wide(c).conj())
            for c in flat(_taught(subject, tuple(cotangents)))
            if c is not None and wide(c).dtype.kind in "fc"
        ]
        # If the reference casts, some results have narrower dtypes than the inputs.
        found = pull([c.astype(y.dtype) for c, y in zip(pulled, made)])
    return dict(zip(floats, map(np.conj, found)))


def largest(arrays: list[Any]) -> float:
    """Return the largest absolute value in `arrays`.

    This value serves as an estimate for the size of terms that cancel in a gradient.
    """
    return max(
        (float(np.abs(wide(a)).max()) for a in flat(arrays) if a is not None and a.size),
        default=0.0,
    )


def _computed(case: Case) -> list[str]:
    """Return the accumulation dtype for each floating-point dtype of a case."""
    return [accum(d) for _, d in case.dtypes if DTYPES[d].floating]


def epsilon(case: Case, dtype: str) -> float:
    """Return the larger relative rounding error: of the result's dtype or the computation's."""
    return rounding(dtype, _computed(case))


def of_gradients(subject: OpUnderTest, case: Case) -> Case:
    """Return `case` with the tolerance of its gradients.

    This is the largest tolerance of the backward ops, or the case's own if they have none.
    """
    calls = gradient_of(subject.op, case).calls
    given = [tolerance_of(subject.project.op(call.op)) for call in calls]
    return replace(case, rtol=max(filter(None, given), default=case.rtol))


def close(
    got: np.ndarray,
    wanted: np.ndarray,
    case: Case,
    *,
    what: str,
    k: float = 16,
    scale: float = 0.0,
    terms: Callable[[], np.ndarray] | None = None,
) -> None:
    """Assert `|got - wanted| <= k * eps * magnitude`. Integers must be equal.

    The magnitude of an element is its own size, plus the mean size of all elements, plus `scale`.
    `scale` is the size of the terms that add up to the element, if these terms may cancel. If an
    element exceeds this limit, the result of `terms()` is added to `scale`. `terms` estimates the
    terms' sizes by several runs of the reference. A float of 8 bits may be the neighbour of the
    expected float. A NaN must match a NaN, and an infinity the same infinity.
    """
    assert got.shape == wanted.shape, f"{what}: shape {got.shape}, not {wanted.shape}"
    names = {numpy_dtype(name): name for name in (*ROUNDED, *STEPS)}
    if got.dtype not in names:
        np.testing.assert_array_equal(got, wanted, err_msg=what)
        return
    wanted = wide(wanted)
    dtype = names[got.dtype]

    def found(size: float | np.ndarray) -> Departure | None:
        rule = tolerance(
            wanted, dtype, _computed(case), k=k, scale=size, relative=case.rtol or None
        )
        return departure(wide(got), wanted, rule)

    beyond = found(scale)
    if beyond is not None and terms is not None and dtype not in STEPS:
        beyond = found(scale + terms())
    assert beyond is None, (
        f"{what}: at {beyond.at} got {got[beyond.at]}, the reference is {beyond.expected}: "
        f"off by {beyond.error:.3g}, allowed is {beyond.allowed:.3g}"
    )


def agree(
    subject: OpUnderTest,
    case: Case,
    found: np.ndarray | None,
    wanted: np.ndarray | None,
    what: str,
) -> None:
    """Assert that two calls of the op with the same inputs give the same result.

    A kernel returns the same bits. A reference may round differently in each framework and batch.
    If the reference may have run, the results need only be close.
    """
    if not may_run_reference(subject) or found is None or wanted is None:
        same_bits(found, wanted, what)
        return
    same(found.dtype, wanted.dtype, f"the dtype of {what}")
    size = largest([wanted[np.isfinite(wide(wanted))]])
    close(found, wanted, case, what=what, k=64, scale=size)
