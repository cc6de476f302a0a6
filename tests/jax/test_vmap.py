"""`jax.vmap`: every combination of batched operands, with gradients and nested maps."""

import itertools

import jax
import jax.numpy as jnp
import pytest

from generated.jax import layer_norm, relu, rms_norm, rms_norm_bwd, tensor_add
from tests.jax.reference import assert_close, compiled, custom_calls, gradients, normal, squares
from tests.jax.reference import rms_norm as plain

COMBINATIONS = [(0, None), (None, 0), (0, 0)]


def operands(axes):
    """Return x and weight, with a leading axis of 3 for each operand whose entry in `axes` is 0."""
    x = normal(3, 4, 6, 8) if axes[0] == 0 else normal(4, 6, 8)
    weight = normal(3, 8, seed=1) if axes[1] == 0 else normal(8, seed=1)
    return x, weight


@pytest.mark.parametrize("axes", COMBINATIONS)
def test_values_and_gradients(axes):
    args = operands(axes)
    mapped = lambda f: jax.jit(jax.vmap(f, axes))  # noqa: E731
    assert_close(mapped(rms_norm)(*args), mapped(plain)(*args))
    found, wanted = mapped(gradients(rms_norm))(*args), mapped(gradients(plain))(*args)
    assert_close(found, wanted)
    total = lambda f: jax.grad(lambda *a: mapped(squares(f))(*a).sum(), (0, 1))  # noqa: E731
    assert_close(total(rms_norm)(*args), total(plain)(*args))


@pytest.mark.parametrize(("inner", "outer"), list(itertools.product(COMBINATIONS, repeat=2)))
def test_nested(inner, outer):
    args = [jnp.stack([a, a * 0.5]) if axis == 0 else a for a, axis in zip(operands(inner), outer)]
    nested = lambda f: jax.jit(jax.vmap(jax.vmap(f, inner), outer))  # noqa: E731
    assert_close(nested(rms_norm)(*args), nested(plain)(*args))
    found, wanted = nested(gradients(rms_norm))(*args), nested(gradients(plain))(*args)
    assert_close(found, wanted)


@pytest.mark.parametrize("mask", range(1, 16))
def test_backward_in_every_combination(mask):
    batched = [mask >> k & 1 == 1 for k in range(4)]
    shapes = [(5, 8), (5,), (5, 8), (8,)]
    args = [
        normal(*([3] if b else []), *shape, seed=k) ** 2
        for k, (b, shape) in enumerate(zip(batched, shapes))
    ]
    axes = [0 if b else None for b in batched]
    found = jax.vmap(rms_norm_bwd, axes)(*args)
    for index in range(3):
        one = [a[index] if b else a for a, b in zip(args, batched)]
        assert_close([f[index] for f in found], rms_norm_bwd(*one))


def test_gradient_of_a_map_where_residuals_have_no_cotangent():
    """A gradient of nested maps works if residuals have no cotangent.

    `layer_norm` then gets symbolic zeros instead of arrays.
    """
    args = normal(2, 3, 8), normal(8, seed=1), normal(8, seed=2)
    norm = lambda *args: layer_norm(*args, normalized_shape=(8,))  # noqa: E731
    rows = jax.vmap(jax.vmap(norm, (0, None, None)), (0, None, None))
    assert_close(gradients(rows)(*args), gradients(norm)(*args))


def test_inner_axes():
    x = normal(4, 3, 8)
    found = jax.vmap(rms_norm, (1, None), 1)(x, normal(8))
    assert_close(found, plain(x, normal(8)))


def test_second_order():
    x, weight = normal(3, 4, 8), normal(8, seed=1)

    def twice(op):
        inner = lambda x, w: sum(jnp.sum(g * g) for g in gradients(op)(x, w)) ** 0.5  # noqa: E731
        return jax.jit(jax.vmap(jax.grad(inner, (0, 1)), (0, None)))

    assert_close(twice(rms_norm)(x, weight), twice(plain)(x, weight), k=4096)


def batch_dims(function, *args) -> str:
    text = jax.jit(function).lower(*args).as_text()
    (found,) = {part[:1] for part in text.split("batch_dims = ")[1:]}
    return found


def test_folds_where_it_can_and_calls_once():
    x, weight = operands((0, None))
    function = jax.vmap(rms_norm, (0, None))
    assert batch_dims(function, x, weight) == "0"
    assert batch_dims(jax.vmap(function, (0, None)), x[None], weight) == "0"
    assert batch_dims(jax.vmap(relu), x) == "0"
    function = jax.vmap(rms_norm)
    assert batch_dims(function, *operands((0, 0))) == "1"
    assert custom_calls(compiled(function, *operands((0, 0)))).total() == 1


def test_no_group_to_fold_into():
    a, b = normal(3, 4, 5), normal(4, 5, seed=1)
    function = jax.vmap(tensor_add, (0, None))
    assert batch_dims(function, a, b) == "1"
    assert_close(function(a, b), a + b)
    both = jax.vmap(jax.vmap(tensor_add, (0, None)), (None, 0))
    assert_close(both(a, b[None]), (a + b)[None])


def test_empty_axis():
    found = jax.vmap(rms_norm)(jnp.ones((0, 4, 8)), jnp.ones((0, 8)))
    assert found.shape == (0, 4, 8)
