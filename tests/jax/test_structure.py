"""Absent inputs, lists, updated inputs, and shapes that depend on the call."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from tests.jax.reference import assert_close, collectives, compiled, normal
from tests.jax.rendering import package

SPEC = """
spec = 1
[dtypes]
T = ["f32", "f64"]

[ops.sgd_]
doc            = "One step on lists of tensors, in place; with momentum, that too."
reference      = "ops.py:sgd_"
inputs.params  = { dtype = "T", shape = "*s[i]", list = "n", update = true }
inputs.grads   = { dtype = "T", shape = "*s[i]", list = "n" }
inputs.lr      = { dtype = "T", shape = "" }
inputs.moments = { dtype = "T", shape = "*s[i]", list = "n", update = true, when = "momentum > 0.0" }
attrs.momentum = { type = "float", default = 0.0 }
grad           = "none"
sharding.split = ["s"]
kernels        = ["reference"]

[ops.scaled]
doc            = "`x * weight + bias`, each if it is there."
reference      = "ops.py:scaled"
inputs.x       = { dtype = "T", shape = "*batch d" }
inputs.weight  = { dtype = "T", shape = "d", optional = true }
inputs.bias    = { dtype = "T", shape = "d", optional = true }
outputs.y      = { dtype = "T", shape = "*batch d" }
outputs.total  = { dtype = "T", shape = "d", when = "sums", reduce = { batch = "sum" } }
attrs.sums     = { type = "bool", default = false }
grad           = "reference"
sharding.split = ["batch"]
kernels        = ["reference"]

[ops.swap]
doc            = "`x` plus `shift`, one for all rows or one for each, in the order asked for."
reference      = "ops.py:swap"
inputs.x       = { dtype = "T", shape = { "order == 'NHD'" = "t h d", else = "h t d" } }
inputs.shift   = { dtype = "T", shape = ["", "t"] }
outputs.y      = { dtype = "T", shape = { "order == 'NHD'" = "t h d", else = "h t d" } }
attrs.order    = { type = "str", default = "NHD", choices = ["NHD", "HND"] }
grad           = "reference"
sharding.split = { "order == 'NHD'" = ["t"], else = ["h"] }
kernels        = ["reference"]
"""
REFERENCE = '''
"""The references."""


def sgd_(xp, params, grads, lr, moments=None, *, momentum):
    if moments is not None:
        moments = [momentum * m + g for m, g in zip(moments, grads)]
    steps = grads if moments is None else moments
    return [p - lr * s for p, s in zip(params, steps)], moments


def scaled(xp, x, weight=None, bias=None, *, sums):
    y = x if weight is None else x * weight
    y = y if bias is None else y + bias
    return y, xp.sum(y, axis=tuple(range(x.ndim - 1))) if sums else None


def swap(xp, x, shift, *, order):
    if shift.ndim:
        shift = shift[:, None, None] if order == "NHD" else shift[None, :, None]
    return x + shift
'''


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    return package(tmp_path_factory.mktemp("project"), SPEC, REFERENCE)


def auto(count=4):
    return jax.make_mesh((count,), ("i",), (AxisType.Auto,), devices=jax.devices()[:count])


def test_lists_are_updated(ops):
    params, grads = [normal(3, 4), normal(5)], [normal(3, 4, seed=1), normal(5, seed=1)]
    new, moments = ops.sgd_(params, grads, 0.5)
    assert moments is None
    assert_close(new, [p - 0.5 * g for p, g in zip(params, grads)])
    new, moments = ops.sgd_(params, grads, 0.5, params, momentum=0.9)
    assert_close(moments, [0.9 * p + g for p, g in zip(params, grads)])
    assert isinstance(new, list) and isinstance(moments, list)


def test_lists_are_refused_by_name(ops):
    a, b = [normal(3)], [normal(4)]
    with pytest.raises(TypeError, match="sgd_: moments: expected None unless"):
        ops.sgd_(a, a, 0.5, a)
    with pytest.raises(ValueError, match="sgd_: grads.*got"):
        ops.sgd_(a, b, 0.5)
    with pytest.raises(TypeError, match="sgd_: params: expected a list"):
        ops.sgd_(a[0], a, 0.5)
    with pytest.raises(TypeError, match="sgd_: the spec gives no gradient"):
        jax.grad(lambda p: ops.sgd_(p, a, 0.5)[0][0].sum())(a)


def test_lists_are_batched_and_split(ops):
    params, grads = [normal(8, 4), normal(16)], [normal(8, 4, seed=1), normal(16, seed=1)]
    stacked = [jnp.stack([p, 2 * p]) for p in params]
    found, _ = jax.vmap(ops.sgd_, (0, None, None))(stacked, grads, 0.5)
    assert_close(found, [p - 0.5 * g for p, g in zip(stacked, grads)])
    found, _ = jax.vmap(ops.sgd_, (None, 0, None))(params, stacked, 0.5)
    assert_close(found, [p - 0.5 * g for p, g in zip(params, stacked)])
    put = lambda xs: [jax.device_put(x, NamedSharding(auto(), P("i"))) for x in xs]  # noqa: E731
    step = lambda p, g: ops.sgd_(p, g, 0.5)  # noqa: E731
    assert collectives(compiled(step, put(params), put(grads))) == {}
    found, _ = jax.block_until_ready(jax.jit(step)(put(params), put(grads)))
    assert_close(found, ops.sgd_(params, grads, 0.5)[0])
    assert [x.sharding.spec for x in found] == [P("i"), P("i")]


def test_absent_inputs_and_results(ops):
    x, weight, bias = normal(3, 4), normal(4, seed=1), normal(4, seed=2)
    y, total = ops.scaled(x)
    assert_close(y, x)
    assert total is None
    assert_close(ops.scaled(x, bias=bias)[0], x + bias)
    y, total = ops.scaled(x, weight, bias, sums=True)
    assert_close((y, total), (x * weight + bias, (x * weight + bias).sum(0)))


def test_gradients_of_what_is_there(ops):
    x, weight, bias = normal(3, 4), normal(4, seed=1), normal(4, seed=2)

    def loss(x, weight, bias):
        return sum(jnp.sum(y**2) for y in ops.scaled(x, weight, bias, sums=True))

    def plain(x, weight, bias):
        y = (x if weight is None else x * weight) + bias
        return jnp.sum(y**2) + jnp.sum(y.sum(0) ** 2)

    found = jax.jit(jax.grad(loss, (0, 1, 2)))(x, weight, bias)
    assert_close(found, jax.grad(plain, (0, 1, 2))(x, weight, bias))
    found = jax.grad(lambda x, b: loss(x, None, b), (0, 1))(x, bias)
    assert_close(found, jax.grad(lambda x, b: plain(x, None, b), (0, 1))(x, bias))


def test_absent_operands_are_split_around(ops):
    x = jax.device_put(normal(8, 4), NamedSharding(auto(), P("i")))
    function = lambda x: ops.scaled(x, sums=True)  # noqa: E731
    assert collectives(compiled(function, x)) == {"all-reduce": 1}
    found = jax.block_until_ready(jax.jit(function)(x))
    assert_close(found, ops.scaled(normal(8, 4), sums=True))


@pytest.mark.parametrize("order", ["NHD", "HND"])
@pytest.mark.parametrize("rows", [True, False])
def test_shapes_by_case_and_rank(ops, order, rows):
    x = normal(8, 4, 3) if order == "NHD" else normal(4, 8, 3)
    shift = normal(8, seed=1) if rows else jnp.float32(2)
    wide = shift.reshape((-1, 1, 1) if order == "NHD" else (1, -1, 1))
    assert_close(ops.swap(x, shift, order=order), x + wide)
    put = jax.device_put(x, NamedSharding(auto(), P("i")))
    function = lambda x: ops.swap(x, shift, order=order)  # noqa: E731
    assert "all-gather" not in collectives(compiled(function, put))
    assert_close(jax.block_until_ready(jax.jit(function)(put)), x + wide)
    with pytest.raises(TypeError, match="swap: shift"):
        ops.swap(x, normal(8, 2), order=order)


def test_an_empty_list_is_an_absent_one(ops):
    new, moments = ops.sgd_([normal(2)], [normal(2)], np.float32(0.5), [])
    assert moments is None and len(new) == 1
