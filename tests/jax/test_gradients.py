"""Gradients of every order, under every transform; and results without gradients."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

from generated.jax import relu, relu_bwd, rms_norm, rms_norm_bwd, tensor_add, tensor_negate
from tests.jax.reference import assert_close, gradients, normal, squares
from tests.jax.reference import rms_norm as plain

X, WEIGHT = normal(4, 6, 8), normal(8, seed=1)


def test_first_order():
    assert_close(gradients(rms_norm)(X, WEIGHT), gradients(plain)(X, WEIGHT))


def test_against_finite_differences_to_second_order():
    with jax.enable_x64(True):
        draw = np.random.default_rng(0).standard_normal
        x, weight, dy = (jnp.asarray(draw(s)) for s in ((3, 4), (4,), (3, 4)))
        check_grads(jax.jit(rms_norm), (x, weight), order=2, modes=["rev"])
        invvar = 1 / jnp.sqrt(jnp.mean(x * x, -1) + 1e-5)
        backward = lambda dy, w: rms_norm_bwd(dy, invvar, x, w)  # noqa: E731
        check_grads(backward, (dy, weight), order=2, modes=["rev"])
        check_grads(lambda a, b: tensor_add(a, b) * a * b, (x, dy), order=2, modes=["rev"])
        check_grads(lambda a: tensor_negate(a) * a, (x,), order=2, modes=["rev"])
        check_grads(lambda a: relu(a) ** 2, (x,), order=2, modes=["rev"])


def twice(op):
    """Return the gradient of a function of the gradient."""
    inner = gradients(op)
    return jax.jit(gradients(lambda x, w: sum(jnp.sum(g * g) for g in inner(x, w)) ** 0.5))


def test_second_order():
    assert_close(twice(rms_norm)(X, WEIGHT), twice(plain)(X, WEIGHT), k=4096)


def test_third_order():
    def thrice(op):
        return jax.jit(gradients(lambda x, w: sum(jnp.sum(g * g) for g in twice(op)(x, w)) ** 0.1))

    x = X[0]
    assert_close(thrice(rms_norm)(x, WEIGHT), thrice(plain)(x, WEIGHT), k=2.0**14)


def test_product_with_a_formula_gradient():
    a, b = X[0], X[1]
    da, db = jax.grad(lambda a, b: jnp.sum(tensor_add(a, b) * a * b), (0, 1))(a, b)
    assert_close(da, b * (a + b) + a * b)
    assert_close(db, a * (a + b) + a * b)


def test_relu_is_flat_at_zero():
    x = jnp.asarray([-1.0, 0.0, 2.0])
    assert jax.grad(lambda x: relu(x).sum())(x).tolist() == [0, 0, 1]
    dy = jnp.asarray([1.0, 2.0, 3.0])
    ddy, dyy = jax.grad(squares(relu_bwd), (0, 1))(dy, x)
    assert ddy.tolist() == [0, 0, 6] and dyy.tolist() == [0, 0, 0]


@pytest.mark.parametrize("wrap", [jax.jit, jax.checkpoint, lambda f: jax.jit(jax.checkpoint(f))])
def test_under(wrap):
    found = jax.grad(wrap(squares(rms_norm)), (0, 1))(X, WEIGHT)
    assert_close(found, gradients(plain)(X, WEIGHT))


def test_scan():
    def looped(op):
        def step(carry, _):
            return op(carry, WEIGHT) + carry, None

        return lambda x: jnp.sum(jax.lax.scan(step, x, None, length=3)[0] ** 2)

    found, wanted = (jax.jit(jax.grad(looped(f)))(X) for f in (rms_norm, plain))
    assert_close(found, wanted, k=256)


def test_cond():
    def chosen(op):
        def loss(x, w):
            return jnp.sum(jax.lax.cond(w[0] > 0, op, lambda x, w: x * w, x, w) ** 2)

        return jax.jit(jax.grad(loss, (0, 1)))

    for weight in (WEIGHT, -WEIGHT):
        assert_close(chosen(rms_norm)(X, weight), chosen(plain)(X, weight))


def test_half_types_keep_their_dtype():
    x, weight = X.astype("bfloat16"), WEIGHT.astype("float16")
    dx, dweight = jax.grad(lambda x, w: rms_norm(x, w).astype("float32").sum(), (0, 1))(x, weight)
    assert dx.dtype == jnp.bfloat16 and dweight.dtype == jnp.float16


def test_integers_have_no_gradient():
    x = jnp.asarray([-3, 4], jnp.int8)
    with pytest.raises(TypeError, match="int8"):
        jax.grad(lambda x: relu(x).sum())(x)
    _, pull = jax.vjp(relu, x)
    (dx,) = pull(np.zeros(2, jax.dtypes.float0))
    assert dx.dtype == jax.dtypes.float0


FORWARD = {
    "jvp": lambda f: lambda x: jax.jvp(f, (x,), (jnp.cos(x),)),
    "jvp of scan": lambda f: lambda x: jax.jvp(
        lambda x: jax.lax.scan(lambda c, _: (f(c) + c, None), x, None, length=3)[0], (x,), (x,)
    ),
    "jvp of checkpoint": lambda f: lambda x: jax.jvp(jax.checkpoint(f), (x,), (x,)),
    "jacfwd": jax.jacfwd,
    "hessian": lambda f: jax.hessian(lambda x: jnp.sum(f(x) ** 3)),
    "jvp of grad": lambda f: lambda x: jax.jvp(jax.grad(lambda x: jnp.sum(f(x) ** 3)), (x,), (x,)),
    "grad of jvp": lambda f: jax.grad(lambda x: jnp.sum(jax.jvp(f, (x,), (x * x,))[1] ** 2)),
    "vmap of jvp": lambda f: jax.vmap(lambda x: jax.jvp(f, (x,), (x * x,))),
    "jvp of vmap": lambda f: lambda x: jax.jvp(jax.vmap(f), (x,), (x * x,)),
    "grad of vmap": lambda f: jax.grad(lambda x: jnp.sum(jax.vmap(f)(x) ** 3)),
    "tangent of one for all": lambda f: lambda x: jax.vmap(
        lambda t: jax.jvp(f, (x,), (t,))[1] + jax.jvp(lambda y: f(x + y), (x[0],), (x[1],))[1]
    )(jnp.stack([x, x * x])),
}


@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit], ids=["eager", "jit"])
@pytest.mark.parametrize("mode", FORWARD)
def test_forward_mode(mode, wrap):
    x = X[:2, :3]
    norm, wanted = (lambda x, f=f: f(x, WEIGHT) for f in (rms_norm, plain))
    assert_close(wrap(FORWARD[mode](norm))(x), jax.jit(FORWARD[mode](wanted))(x), k=4096)
    assert_close(wrap(FORWARD[mode](relu))(x), jax.jit(FORWARD[mode](jax.nn.relu))(x), k=4096)


def test_linearize():
    x, tangent = X[0], X[1]
    found = jax.linearize(rms_norm, x, WEIGHT)[1](tangent, WEIGHT)
    assert_close(found, jax.jvp(plain, (x, WEIGHT), (tangent, WEIGHT))[1])


WRAPS = {"as it is": lambda f: f, "jit": jax.jit, "vmap": jax.vmap}


@pytest.mark.parametrize("wrap", WRAPS)
def test_linearize_where_the_backward_keeps_no_input(wrap):
    x, tangents = X[0], X[1:]
    linear = jax.linearize(WRAPS[wrap](relu), x)[1]
    wanted = jnp.where(x > 0, tangents, 0)
    assert_close(linear(tangents[0]), wanted[0])
    assert_close(jax.jit(linear)(tangents[0]), wanted[0])
    assert_close(jax.vmap(linear)(tangents), wanted)
    assert_close(jax.linear_transpose(linear, x)(tangents[0]), (wanted[0],))
    moved = jax.jvp(lambda x: jax.linearize(relu, x)[1](x * x), (x,), (x,))[1]
    assert_close(moved, jnp.where(x > 0, 2 * x * x, 0))


@pytest.mark.parametrize("wrap", WRAPS)
def test_linear_transpose(wrap):
    x, ct = (X, X * X) if wrap == "vmap" else (X[0], X[1])
    found = jax.linear_transpose(WRAPS[wrap](lambda a: tensor_add(a, tensor_negate(a + a))), x)
    assert_close(found(ct), (-ct,))
    pull = jax.vjp(WRAPS[wrap](relu), x)[1]
    assert_close(jax.linear_transpose(pull, x)((ct,)), jnp.where(x > 0, ct, 0))


def test_linear_transpose_of_two_inputs_and_of_one_for_all():
    x, ct = X[0], X[1]
    both = jax.linear_transpose(lambda a, b: tensor_add(a, b[0]), x, [x])
    assert_close(both(ct), (ct, [ct]))
    shared = jax.linear_transpose(lambda a: jax.vmap(tensor_add, (0, None))(0 * X, a), x)
    assert_close(shared(X), (X.sum(0),))


def test_what_is_not_linear_is_refused_by_name():
    x = X[0]
    with pytest.raises(TypeError, match="relu: it is not linear in x: only"):
        jax.linear_transpose(relu, x)(x)
    with pytest.raises(TypeError, match="rms_norm: it is not linear in x and weight"):
        jax.linear_transpose(lambda w: rms_norm(w, w[0]), x)(x)
    with pytest.raises(TypeError, match="relu_bwd: it is not linear in y"):
        jax.linear_transpose(lambda y: relu_bwd(x, y), x)(x)
    (found,) = jax.linear_transpose(lambda w: rms_norm(x, w), WEIGHT)(x)  # linear in w
    assert_close(found, jax.vjp(lambda w: plain(x, w), WEIGHT)[1](x)[0])


def test_reverse_jacobian():
    x = X[0, 0]
    found = jax.jit(jax.jacrev(jax.jacrev(rms_norm)))(x, WEIGHT)
    assert_close(found, jax.jit(jax.jacrev(jax.jacrev(plain)))(x, WEIGHT), k=4096)
