"""Helpers that call a reference function in NumPy, PyTorch and `jax.jit`, and compare the results.

Calls are in float64 and must not change their inputs. If the op has a gradient, the gradients are
compared with finite differences and between frameworks.
"""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path

import jax
import ml_dtypes
import numpy as np
import torch
from array_api_compat import torch as torch_namespace

from opgen.testing.namespaces import jax_namespace, numpy_namespace

SPECS = Path(__file__).parents[2] / "specs"
FP8 = {"f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2}
# Compile without optimization, since each function runs only once.
jit = partial(jax.jit, compiler_options={"xla_backend_optimization_level": 0})
rng = np.random.default_rng(0)


def reseed() -> None:
    """Reset the random number generator to its seed."""
    global rng
    rng = np.random.default_rng(0)


def normal(*shape: int) -> np.ndarray:
    """Return normally distributed float64 numbers."""
    return np.asarray(rng.standard_normal(shape))


def integers(low: int, high: int, *shape: int, dtype: str = "int64") -> np.ndarray:
    """Return random integers in `[low, high)`."""
    return np.asarray(rng.integers(low, high, shape), dtype)


def offsets(*lengths: int) -> np.ndarray:
    """Return the start of each sequence of these lengths, and the end of the last: `b+1`, int32."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype("int32")


def reference(family: str, name: str | None = None):
    """Return the reference function `name` of a family. By default it has the family's name."""
    spec = importlib.util.spec_from_file_location(family, SPECS / f"{family}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name or family)


def convert(to, value):
    """Return `value` with `to` applied to each array. Lists, tuples and None are kept."""
    if isinstance(value, (list, tuple)):
        return type(value)(convert(to, each) for each in value)
    return None if value is None else to(value)


def to_torch(array) -> torch.Tensor:
    return torch.tensor(np.asarray(array))


def to_numpy(array) -> np.ndarray:
    """Convert an array of any framework to NumPy. fp8 becomes float32, without rounding."""
    if isinstance(array, torch.Tensor):
        array = array.detach()
        array = array.float() if "float8" in str(array.dtype) else array
    array = np.asarray(array)
    return array.astype("float32") if array.dtype in FP8.values() else array


def call(function, *inputs, **attrs):
    """Return the results as NumPy arrays. Assert that NumPy, PyTorch and `jax.jit` agree."""
    before = convert(np.array, inputs)
    results = convert(to_numpy, function(numpy_namespace(), *inputs, **attrs))
    ours = convert(to_torch, inputs)
    theirs = convert(jax.device_put, inputs)
    same(function(torch_namespace, *ours, **attrs), results)
    same(jit(partial(function, jax_namespace(), **attrs))(*theirs), results)
    same(inputs, before)
    same(ours, before)
    return results


def same(got, wanted, rtol: float = 1e-12, atol: float = 1e-12) -> None:
    """Assert equal structure, shapes and dtypes, and values that differ only by rounding."""
    if isinstance(wanted, (list, tuple)):
        assert type(got) is type(wanted) and len(got) == len(wanted)
        for each, expected in zip(got, wanted):
            same(each, expected, rtol, atol)
    elif wanted is None:
        assert got is None
    else:
        got, wanted = to_numpy(got), to_numpy(wanted)
        assert got.shape == wanted.shape and got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol, atol)


def differentiable(function, inputs: list, places: tuple[int, ...], **attrs) -> None:
    """Check the gradients of the first result with respect to the inputs at `places`.

    PyTorch's first and second derivatives must agree with finite differences, unless an input is
    empty. JAX's gradients must agree with PyTorch's.
    """
    tensors = convert(to_torch, inputs)
    arrays = convert(jax.device_put, inputs)
    active = [tensors[place].requires_grad_() for place in places]

    def first(namespace, values, *chosen):
        given = [*values]
        for place, value in zip(places, chosen):
            given[place] = value
        results = function(namespace, *given, **attrs)
        return results[0] if isinstance(results, tuple) else results

    @jit
    def pullback(cotangent, *chosen):
        return jax.vjp(partial(first, jax_namespace(), arrays), *chosen)[1](cotangent)

    in_torch = partial(first, torch_namespace, tensors)
    if all(tensor.numel() for tensor in active):
        assert torch.autograd.gradcheck(in_torch, active, fast_mode=True)
        assert torch.autograd.gradgradcheck(in_torch, active, fast_mode=True)
    y = in_torch(*active)
    cotangent = normal(*y.shape)
    wanted = torch.autograd.grad(y, active, to_torch(cotangent))
    found = pullback(jax.device_put(cotangent), *(arrays[place] for place in places))
    same(found, wanted, 1e-9, 1e-9)
