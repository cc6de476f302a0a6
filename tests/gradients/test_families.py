"""First and second derivatives of every family equal autodiff of its reference, in both frameworks.

For an op without a kernel, its reference runs.
"""

from __future__ import annotations

import importlib
import logging
import sys
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from opgen.output.render import render
from opgen.targets.torch.statements import reference as reference_of
from opgen.testing.namespaces import jax_namespace
from tests.gradients import families

slow = pytest.mark.slow

PAIRS = list(families.differentiable())
FIRST = {op.name: case for op, case in reversed(PAIRS)}
# Only these ops are tested at each commit, with one call each. Rendered tests cover second
# derivatives of the other ops.
SAMPLE = ("embedding", "layer_norm", "rms_norm", "swiglu")
CALLS = [
    pytest.param(
        op,
        case,
        id=f"{op.name}-{case}",
        marks=[] if op.name in SAMPLE and case is FIRST[op.name] else slow,
    )
    for op, case in PAIRS
]


# -- JAX -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def jax_families(tmp_path_factory):
    folder = tmp_path_factory.mktemp("families")
    for file in render(families.project("families", fallback=True), ["core", "jax"]):
        path = folder / "families" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    sys.path.insert(0, str(folder))
    logging.getLogger("families").setLevel(logging.ERROR)
    return importlib.import_module("families.jax")


def jax_loss(function, call, inputs, places):
    """Return a scalar function of the inputs at `places`, with derivatives of every order.

    It is the sum of `sin(y + 0.3)` over all elements `y` of the floating outputs.
    """

    def loss(*active):
        full = list(inputs)
        for place, value in zip(places, active):
            full[place] = value
        results = function(full)
        results = results if isinstance(results, tuple) else (results,)
        total = 0.0
        for y, _ in zip(results, call.op.outputs):
            if y is not None and jnp.issubdtype(y.dtype, jnp.floating):
                total += jnp.sum(jnp.sin(y.astype(jnp.float32) + 0.3))
        return total

    return loss


def jax_second(f, by, every):
    first = jax.grad(f, by)
    return jax.jit(jax.grad(lambda *xs: sum(jnp.sum(jnp.cos(g) * g) for g in first(*xs)), every))


@pytest.mark.parametrize("op, case", CALLS)
def test_jax(jax_families, op, case):
    call = families.call_of(op, case)
    reference = call.reference("families")
    with jax.enable_x64(True):
        inputs = [None if a is None else jax.device_put(a) for a in call.arrays]
        places = call.active
        wrapper = getattr(jax_families, op.name)
        ours = jax_loss(lambda xs: wrapper(*xs, **call.given), call, inputs, places)
        theirs = jax_loss(
            lambda xs: reference(jax_namespace(), *xs, **call.attrs), call, inputs, places
        )
        active, every = [inputs[place] for place in places], tuple(range(len(places)))
        for need in families.needs(places):
            by = tuple(places.index(place) for place in need)
            what = f"by {[op.inputs[place].name for place in need]}"
            for f, g in (
                (jax.jit(jax.grad(ours, by)), jax.jit(jax.grad(theirs, by))),
                (jax_second(ours, by, every), jax_second(theirs, by, every)),
            ):
                for found, wanted in zip(f(*active), g(*active)):
                    families.close(found, wanted, what)


# -- PyTorch -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def torch_families():
    """The package `generated.torch`. Ops without a CPU kernel run their references."""
    import generated.torch as ops
    from generated._opgen import torch as _runtime

    whole = families.project(fallback=True)
    for op in families.project().ops:
        if op.kernel("cpu") is not None:
            continue
        module = importlib.import_module(f"generated.torch._{op.name}")
        scope = {
            "_runtime": _runtime,
            "_core": getattr(importlib.import_module("generated.core"), op.name),
            **vars(module),
        }
        if "_reference" not in scope:
            first, *_ = (*reference_of(whole, whole.op(op.name)), None)
            if first is None:
                continue
            exec(first, scope)
        _runtime.fall_back(op.name, scope["_reference"])
    return ops


def torch_loss(results, call):
    results = results if isinstance(results, tuple) else (results,)
    floats = [
        y for y, _ in zip(results, call.op.outputs) if y is not None and y.is_floating_point()
    ]
    return sum(torch.sum(torch.sin(y.float() + 0.3)) for y in floats)


def torch_orders(function, call, need, places):
    """Return the gradients with respect to the inputs `need`, and second derivatives.

    The second derivatives are gradients of a function of the first, with respect to `places`.
    """
    inputs = [None if a is None else torch.from_numpy(np.array(a)) for a in call.arrays]
    for place in places:
        inputs[place].requires_grad_()
    by, every = [inputs[n] for n in need], [inputs[n] for n in places]
    loss = torch_loss(function(inputs), call)
    first = or_zeros(torch.autograd.grad(loss, by, create_graph=True, allow_unused=True), by)
    scalar = sum(torch.sum(torch.cos(g) * g) for g in first)
    if not scalar.requires_grad:
        return first
    return first + or_zeros(torch.autograd.grad(scalar, every, allow_unused=True), every)


def or_zeros(gradients, of):
    return [torch.zeros_like(x) if g is None else g for x, g in zip(of, gradients)]


@pytest.mark.parametrize("op, case", CALLS)
def test_torch(torch_families, op, case):
    from array_api_compat import torch as xp

    call, wrapper = families.call_of(op, case), getattr(torch_families, op.name)
    reference = call.reference("generated")
    for need in families.needs(call.active):
        what = f"by {[op.inputs[place].name for place in need]}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the warning that the reference runs
            ours = torch_orders(lambda xs: wrapper(*xs, **call.given), call, need, call.active)
        theirs = torch_orders(lambda xs: reference(xp, *xs, **call.attrs), call, need, call.active)
        for found, wanted in zip(ours, theirs):
            families.close(found.detach(), wanted.detach(), what)


@pytest.mark.parametrize("present", ["xwb", "xw", "x"])
def test_torch_layer_norm_twice_as_native(torch_families, present):
    """First and second derivatives of `layer_norm` equal those of `F.layer_norm` in f64."""
    given = {"x": torch.randn(3, 2, 5), "w": torch.randn(2, 5), "b": torch.randn(2, 5)}

    def orders(layer_norm, dtype):
        inputs = [given[n].to(dtype).requires_grad_() if n in present else None for n in "xwb"]
        active = [x for x in inputs if x is not None]
        y = layer_norm(*inputs)
        first = torch.autograd.grad(torch.sin(y).sum(), active, create_graph=True)
        scalar = sum(torch.sum(torch.cos(g) * g) for g in first)
        return [*first, *torch.autograd.grad(scalar, active)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = orders(
            lambda *a: torch_families.layer_norm(*a, normalized_shape=(2, 5)), torch.float32
        )
    native = orders(lambda *a: torch.nn.functional.layer_norm(a[0], (2, 5), *a[1:]), torch.float64)
    for found, wanted in zip(ours, native, strict=True):
        size = wanted.abs().max() + 1
        assert (found - wanted).abs().max() <= 512 * torch.finfo(torch.float32).eps * size


# -- references that read a residual ---------------------------------------------------

READS = """
spec = 1
[dtypes]
T = ["f32"]

[ops.square]
doc            = "`x * x`."
reference      = "ops.py:square"
inputs.x       = { dtype = "T", shape = "*s" }
outputs.y      = { dtype = "T", shape = "*s" }
residuals.two  = { dtype = "T", shape = "*s" }
grad.backward  = "square_bwd"
sharding.split = ["s"]
kernels        = ["reference"]

[ops.square_bwd]
doc            = "Gradient of `square`, from twice `x`."
reference      = "ops.py:square_bwd"
inputs.dy      = { dtype = "T", shape = "*s" }
inputs.two     = { dtype = "T", shape = "*s" }
outputs.dx     = { dtype = "T", shape = "*s" }
grad           = "reference"
sharding.split = ["s"]
kernels        = ["reference"]
"""
REFERENCES = """
def square(xp, x):
    return x * x, 2 * x


def square_bwd(xp, dy, two):
    return dy * two
"""


def test_jax_a_reference_that_reads_a_residual_is_refused_and_not_wrong(tmp_path):
    """A second derivative of an op whose backward reads the residual `two` raises TypeError.

    If `two` counted as a constant, the derivative of `dy * two` with respect to `x` would wrongly
    be 0.
    """
    from tests.jax.rendering import package

    square = package(tmp_path, READS, REFERENCES).square
    x = jnp.float32(3)
    assert jax.grad(square)(x) == 6
    with pytest.raises(TypeError, match="square_bwd: its reference reads two"):
        jax.grad(jax.grad(square))(x)


def test_torch_a_reference_that_reads_a_residual_is_refused():
    from generated._opgen.torch.references import Unread

    kept = Unread("square_bwd", "two", torch.ones(3))
    assert kept.shape == (3,) and kept.ndim == 1
    for use in (
        lambda: torch.ones(3) * kept,
        lambda: torch.sin(kept),
        lambda: kept.to(torch.float64),
    ):
        with pytest.raises(NotImplementedError, match="square_bwd: its reference reads two"):
            use()
