"""A gradient that reads a residual cannot be differentiated.

A residual is an extra result of the forward that a backward reads. Its own derivative is unknown,
so a second derivative would lack a part.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest
import torch
from torch.autograd import forward_ad
from torch.func import grad, hessian, jacrev, jvp

OPS = {"cube": 27.0, "square": 6.0}  # each op and its derivative at 3


def twice(f):
    def second(x):
        x = x.clone().requires_grad_()
        (dx,) = torch.autograd.grad(f(x) + x**3, x, create_graph=True)
        return torch.autograd.grad(dx, x)

    return second


def tangent_of_gradient(f):
    def tangent(x):
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x.clone().requires_grad_(), torch.ones(()))
            torch.autograd.grad(f(dual) + dual**3, dual, create_graph=True)

    return tangent


SECOND = {
    "twice": twice,
    "dual": tangent_of_gradient,
    "grad of grad": lambda f: grad(grad(lambda x: f(x) + x**3)),
    "jacrev of jacrev": lambda f: jacrev(jacrev(lambda x: f(x) + x**3)),
}


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("mode", SECOND)
def test_torch_refuses(torch_ops, op, mode):
    f, x = getattr(torch_ops, op), torch.tensor(3.0)
    assert grad(f)(x) == OPS[op]
    assert jvp(f, (x,), (torch.tensor(2.0),)) == (f(x), 2 * OPS[op])
    with pytest.raises(
        NotImplementedError, match=f"{op}(_bwd)?: its .* reads .*residual|a residual"
    ):
        SECOND[mode](f)(x)


def test_torch_forward_over_reverse_is_no_number(torch_ops):
    """`torch.func.hessian` of an op that reads a residual gives NaN, or raises NotImplementedError.

    In the compiled autograd library, a formula's operations do not see the tangents of an outer
    transform, so the result is NaN. The Python implementation sees them and raises.
    """
    x = torch.tensor(3.0)
    try:
        assert hessian(torch_ops.cube)(x).isnan()
    except NotImplementedError as refused:
        assert "its gradient reads a residual" in str(refused)
    with pytest.raises(NotImplementedError, match="its reference reads kept"):
        hessian(torch_ops.square)(x)


def test_torch_residuals_have_no_gradient_for_callers(torch_ops):
    x = torch.tensor(3.0, requires_grad=True)
    y, kept = torch.ops.chosen.cube.default(x)
    assert y.requires_grad and not kept.requires_grad


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize(
    "second",
    [lambda f: jax.grad(jax.grad(f)), jax.hessian, lambda f: jax.jit(jax.jacrev(jax.jacrev(f)))],
    ids=["grad of grad", "hessian", "jit"],
)
def test_jax_refuses(jax_ops, op, second):
    f, x = getattr(jax_ops, op), jnp.float32(3)
    assert jax.grad(f)(x) == OPS[op]
    assert jax.jvp(f, (x,), (jnp.float32(2),)) == (f(x), 2 * OPS[op])
    with pytest.raises(TypeError, match=f"{op}(_bwd)?: its re(sidual|ference reads) kept"):
        second(lambda x: f(x) + x**3)(x)
