"""Checks of the rendered JAX wrapper, for any op."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.test_util import check_grads

from opgen.testing import oracle, same
from opgen.testing.arrays import applied, flat, mapped, named, replaced, tupled
from opgen.testing.calls import batches, inferred, stacked, twice_differentiable
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case, numpy_dtype
from opgen.testing.exact import Gradients, Results
from opgen.testing.op_under_test import OpUnderTest

# Convert arrays by `device_put`. `jnp.asarray` would compile a program for each new shape.
Array = jax.Array | np.ndarray


def precision(subject: OpUnderTest, case: Case) -> AbstractContextManager[object]:
    """Return a context that enables x64 mode if the op or the case uses a dtype that needs it."""
    found = {dtype for _, dtype in case.dtypes}
    for tensor in (*subject.op.inputs, *subject.op.outputs):
        found.update(tensor.dtype.values())
    wide = {"f64", "i64", "u64", "c128"} & found
    return jax.enable_x64(True) if wide else nullcontext()


def call(subject: OpUnderTest, case: Case, inputs: list[Any]) -> tuple[Any, ...]:
    """Call the op, wait until its results are computed, and return them as a tuple."""
    return tuple(jax.block_until_ready(call_traced(subject, case, inputs)))


def on(device: str) -> AbstractContextManager[object]:
    """Return a context in which new arrays are on the first device of the platform `device`.

    JAX compiles a program again for each setting of the default device. If the device is already
    the default, the context does nothing, so that tests share compiled programs.
    """
    first = jax.devices(device)[0]
    return nullcontext() if first == jax.devices()[0] else jax.default_device(first)


def values(subject: OpUnderTest, case: Case, device: str = "cpu") -> None:
    """Check that values agree with the reference, both in eager calls and under `jax.jit`."""
    arrays = draw(subject.op, case)
    exact = Results(subject, case, arrays)
    with precision(subject, case), on(device):
        inputs = mapped(jax.device_put, arrays)
        eager = call(subject, case, inputs)
        jitted = jax.jit(lambda *xs: call_traced(subject, case, xs))(*inputs)
        made = [subject.filled(results) for results in (eager, jitted)]
        exact.check(mapped(np.asarray, made[0]))
        for name, y, z in named(subject.op.results, *made):
            same_bits(z, y, f"{name} under jax.jit")


def call_traced(subject: OpUnderTest, case: Case, inputs: Any) -> tuple[Any, ...]:
    return tupled(subject.wrapper("jax")(*inputs, **dict(case.attrs)))


def gradients(subject: OpUnderTest, case: Case, device: str = "cpu") -> None:
    """Check that the op's gradients agree with autodiff of the reference."""
    arrays = draw(subject.op, case)
    cotangents = draw_cotangents(subject.op, case)
    exact = Gradients(subject, case, arrays, cotangents)
    with precision(subject, case), on(device):
        function, active = of_floats(subject, case, mapped(jax.device_put, arrays), exact.names)
        results, pull = jax.vjp(function, *active.values())
        pulled = [conjugate(c) for c in flat(cotangents) if floating(c)]
        same.same(len(pulled), len(results), "how many results have a gradient")
        found = pull(tuple(map(jax.device_put, pulled)))
        for (name, x), grad in zip(active.items(), found):
            same.same(grad.dtype, x.dtype, f"the dtype of d{name}")
            exact.check(name, conjugate(np.asarray(grad)))


def of_floats(
    subject: OpUnderTest, case: Case, inputs: list[Any], wanted: Collection[str]
) -> tuple[Callable[..., Any], dict[str, jax.Array]]:
    """Return the op as a function of the inputs named in `wanted`, and these inputs by name.

    All other inputs are fixed. The function returns the floating-point results of the op.
    """
    leaves = dict(named(subject.op.inputs, inputs))

    def function(*active: Any) -> Any:
        given = leaves | dict(zip(places, active))
        results = call_traced(subject, case, replaced(inputs, given.values()))
        return tuple(filter(floating, flat(results)))

    places = {name: x for name, x in leaves.items() if name in wanted}
    return function, places


def differentiable(subject: OpUnderTest, inputs: list[Any]) -> list[str]:
    """Return the names of the inputs that are differentiable and have a floating-point dtype."""
    return [
        name
        for tensor, given in zip(subject.op.inputs, inputs)
        for name, x in named([tensor], [given])
        if floating(x) and tensor.differentiable
    ]


def conjugate(array: np.ndarray) -> np.ndarray:
    """Convert a cotangent or gradient from PyTorch's convention to JAX's, or back.

    The two conventions differ by a complex conjugate.
    """
    return array.conj() if array.dtype.kind == "c" else array


def floating(result: Array | None) -> bool:
    """Return whether a result exists and has a floating-point or complex dtype."""
    return result is not None and jnp.issubdtype(result.dtype, jnp.inexact)


def gradcheck(subject: OpUnderTest, case: Case) -> None:
    """Run `jax.test_util.check_grads` in f64, in reverse and forward mode.

    Reverse mode is checked to second order if the op supports it.
    """
    order = 2 if twice_differentiable(subject) else 1
    with jax.enable_x64(True):
        inputs = mapped(jax.device_put, draw(subject.op, case))
        function, active = of_floats(subject, case, inputs, differentiable(subject, inputs))
        check_grads(function, list(active.values()), order=order, modes=["rev"])
        if subject.forward_mode:
            check_grads(function, list(active.values()), order=1, modes=["fwd"])


def vmap(subject: OpUnderTest, case: Case) -> None:
    """Check, for each subset of inputs, that `jax.vmap` over it gives the same bits as a loop."""
    rows = [draw(subject.op, replace(case, seed=case.seed + n)) for n in range(3)]
    with precision(subject, case):
        for batched in batches(subject, rows[0]):
            inputs = stacked(np.stack, rows, batched)
            in_axes = tuple(0 if b else None for b in batched)
            function: Callable[..., Any]
            function = jax.vmap(lambda *xs: call_traced(subject, case, xs), in_axes)
            got = function(*mapped(jax.device_put, inputs))
            for index in range(3):
                one = [
                    applied(lambda x: x[index, ...], x) if b else x for x, b in zip(inputs, batched)
                ]
                results = flat(call(subject, case, mapped(jax.device_put, one)))
                for n, (y, wanted) in enumerate(zip(flat(got), results, strict=True)):
                    row = None if y is None else np.asarray(y)[index, ...]
                    alone = None if wanted is None else np.asarray(wanted)
                    what = f"row {index} of result {n} under jax.vmap"
                    oracle.agree(subject, case, row, alone, what)


def same_bits(found: Array | None, wanted: Array | None, what: str) -> None:
    """Assert that two results have the same bits, including NaNs."""
    a, b = (None if x is None else np.asarray(x) for x in (found, wanted))
    same.same_bits(a, b, what)


def abstract(subject: OpUnderTest, case: Case) -> None:
    """Check that abstract evaluation returns the shapes and dtypes of `infer`."""
    arrays = draw(subject.op, case)
    wanted = inferred(subject, case, arrays)
    with jax.enable_x64(True):
        given = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), arrays)
        found = jax.eval_shape(lambda xs: call_traced(subject, case, xs), given)
        flat = jax.tree.leaves(found, is_leaf=lambda leaf: leaf is None)
        for y, (tensor, spec) in zip(flat, wanted, strict=True):
            if spec is None:
                assert y is None, tensor.name
            else:
                expected = spec.shape, numpy_dtype(spec.dtype)
                assert (y.shape, y.dtype) == expected, tensor.name
