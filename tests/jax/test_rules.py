"""Features of specs that no op of this repository uses, and their error messages."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from jax.test_util import check_grads

from tests.jax.reference import assert_close, collectives, compiled, normal
from tests.jax.rendering import package

HEAD = 'spec = 1\n[dtypes]\nT = ["f32", "f64"]\n'

# Each op has only the required keys and the keys under test.
SPEC = HEAD + """
[ops.scale]
doc            = "`x * factor**2`, differentiated through the reference."
reference      = "ops.py:scale"
inputs.x       = { dtype = "T", shape = "*s" }
inputs.factor  = { dtype = "T", shape = "" }
attrs.power    = { type = "int", default = 2 }
outputs.y      = { dtype = "T", shape = "*s" }
grad           = "reference"
sharding.split = ["s"]
kernels        = ["reference"]

[ops.frozen]
doc            = "A constant to autodiff."
reference      = "ops.py:frozen"
inputs.x       = { dtype = "T", shape = "*s" }
outputs.y      = { dtype = "T", shape = "*s" }
grad           = "none"
sharding.split = ["s"]
kernels        = ["reference"]

[ops.affine]
doc            = "`x * weight + bias`, along the last dim; `mask` is no variable."
reference      = "ops.py:affine"
inputs.x       = { dtype = "T", shape = "*batch d" }
inputs.weight  = { dtype = "T", shape = "d" }
inputs.bias    = { dtype = "T", shape = "d" }
inputs.mask    = { dtype = "T", shape = "*batch d", differentiable = false }
outputs.y      = { dtype = "T", shape = "*batch d" }
grad.formulas  = { x = "dy*weight*mask", weight = "dy*x*mask", bias = "dy" }
sharding.split = ["batch"]
kernels        = ["reference"]

[ops.heads]
doc            = "Adds to each of `g` query heads its key head."
reference      = "ops.py:heads"
inputs.q       = { dtype = "T", shape = "t hk*g" }
inputs.k       = { dtype = "T", shape = "t hk" }
outputs.y      = { dtype = "T", shape = "t hk*g" }
outputs.top    = { dtype = "T", shape = "t", reduce = { hk = "max" } }
grad           = "none"
sharding.split = ["hk"]
kernels        = ["reference"]

[ops.take]
doc            = "Rows of `x` at 64-bit `rows`, and where they came from."
reference      = "ops.py:take"
inputs.x       = { dtype = "T", shape = "n d" }
inputs.rows    = { dtype = "i64", shape = "m" }
outputs.y      = { dtype = "T", shape = "m d" }
outputs.origin = { dtype = "i64", shape = "m" }
grad           = "reference"
sharding       = "replicate"
kernels        = ["reference"]

[ops.tempered]
doc            = "`x * scale`, by default `d**-0.5`."
reference      = "ops.py:tempered"
inputs.x       = { dtype = "T", shape = "*batch d" }
attrs.scale    = { type = "float", default = "d**-0.5" }
outputs.y      = { dtype = "T", shape = "*batch d" }
grad.backward  = "tempered_bwd"
sharding.split = ["batch"]
kernels        = ["reference"]

[ops.tempered_bwd]
doc            = "Gradient of `tempered`."
inputs.dy      = { dtype = "T", shape = "*batch d" }
attrs.scale    = { type = "float" }
outputs.dx     = { dtype = "T", shape = "*batch d" }
grad           = "reference"
sharding.split = ["batch"]
kernels        = ["reference"]
"""
REFERENCE = '''
"""The references."""


def scale(xp, x, factor, *, power):
    return x * factor**power


def frozen(xp, x):
    return x * 1


def affine(xp, x, weight, bias, mask):
    return x * weight * mask + bias


def heads(xp, q, k):
    t, hk = k.shape
    y = xp.reshape(xp.reshape(q, (t, hk, q.shape[1] // hk)) + k[:, :, None], q.shape)
    return y, xp.max(k, axis=1)


def tempered(xp, x, *, scale):
    return x * scale


def take(xp, x, rows):
    return xp.take(x, rows, axis=0), rows
'''


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    return package(tmp_path_factory.mktemp("project"), SPEC, REFERENCE)


def test_the_reference_runs_and_is_said_once(tmp_path, caplog):
    ops = package(tmp_path, SPEC, REFERENCE)  # no other test has called an op of this package
    with caplog.at_level(logging.WARNING):
        for n in (3, 4):
            assert_close(ops.scale(normal(n), jnp.float32(2), power=3), normal(n) * 8)
    assert [r.getMessage() for r in caplog.records].count(
        "scale: no kernel for platform cpu: the reference runs"
    ) == 1


def test_gradient_of_the_own_reference(ops):
    with jax.enable_x64(True):
        x = jnp.asarray(np.random.default_rng(0).standard_normal((3, 4)))
        check_grads(ops.scale, (x, jnp.float64(0.7)), order=2, modes=["rev"])


def test_a_number_for_a_scalar_input_takes_the_dtype_of_its_variable(ops):
    x = normal(3)
    assert_close(ops.scale(x, 2.0), x * 4)
    with jax.enable_x64(True):  # where a number alone would be a double
        y = ops.scale(x, 2)
        assert y.dtype == jnp.float32
        assert_close(y, x * 4)
        assert ops.scale(jnp.arange(3.0), 2.0).dtype == jnp.float64
    assert jax.grad(lambda f: ops.scale(x, f).sum())(2.0).dtype == jnp.float32
    with pytest.raises(TypeError, match="take: rows: expected"):
        ops.take(normal(5, 3), 1.5)


def test_a_default_that_follows_from_sizes_reaches_reference_and_backward(ops):
    with jax.enable_x64(True):
        x = jnp.asarray(np.random.default_rng(0).standard_normal((3, 4)))
        assert_close(ops.tempered(x), x / 2)
        assert_close(ops.tempered(x, scale=3.0), x * 3)
        check_grads(ops.tempered, (x,), order=2, modes=["rev"])
        assert (jax.grad(lambda x: ops.tempered(x).sum())(x) == 0.5).all()


def test_no_gradient_is_an_error_in_either_mode(ops):
    x = normal(3)
    assert_close(ops.frozen(x), x)
    for function in (
        jax.grad(lambda x: ops.frozen(x).sum()),
        lambda x: jax.jvp(ops.frozen, (x,), (x,)),
    ):
        with pytest.raises(TypeError, match="frozen: the spec gives no gradient"):
            function(x)


def test_formulas_align_dims_by_name(ops):
    x, weight, bias, mask = (
        normal(*s, seed=k) for k, s in enumerate([(3, 5, 4), (4,), (4,), (3, 5, 4)])
    )
    loss = lambda f: jax.grad(lambda *a: jnp.sum(f(*a, mask) ** 2), (0, 1, 2))  # noqa: E731
    wanted = loss(lambda x, w, b, m: x * w * m + b)(x, weight, bias)
    assert_close(loss(ops.affine)(x, weight, bias), wanted)
    with pytest.raises(TypeError, match="affine: mask: the spec gives no gradient"):
        jax.grad(lambda m: ops.affine(x, weight, bias, m).sum())(mask)


@pytest.mark.parametrize(
    "x, weight, mask",
    [
        (P("i"), P("i"), P(None, "i")),
        (P(None, "i"), P(), P("i")),
        (P(None, None, "i"), P("i"), P("i")),
        (P("i"), P(), P("j")),
        (P("i", "j"), P("i"), P("j", "i")),
    ],
    ids=str,
)
def test_formulas_of_arrays_that_are_split_differently(ops, x, weight, mask):
    """On explicit meshes, JAX alone rejects a product of such arrays."""
    mesh = jax.make_mesh((4, 2), ("i", "j"), (AxisType.Explicit,) * 2)
    arrays = normal(8, 8, 4), normal(4, seed=1), normal(4, seed=2), normal(8, 8, 4, seed=3)
    gradient = jax.grad(lambda *a: jnp.sum(ops.affine(*a) ** 2), (0, 1, 2))
    with jax.set_mesh(mesh):
        specs = x, weight, P(), mask
        placed = [jax.device_put(a, NamedSharding(mesh, s)) for a, s in zip(arrays, specs)]
        found = jax.block_until_ready(jax.jit(gradient)(*placed))
    assert_close(found, jax.jit(gradient)(*arrays))
    assert [jax.typeof(f).sharding for f in found] == [jax.typeof(p).sharding for p in placed[:3]]


def test_a_factor_that_leads_a_product(ops):
    mesh = jax.make_mesh((4,), ("i",), (AxisType.Auto,), devices=jax.devices()[:4])
    put = lambda x: jax.device_put(x, NamedSharding(mesh, P(None, "i")))  # noqa: E731
    q, k = normal(3, 24), normal(3, 8, seed=1)
    hlo = compiled(ops.heads, put(q), put(k))
    assert collectives(hlo) == {"all-reduce": 1}
    found = jax.block_until_ready(jax.jit(ops.heads)(put(q), put(k)))
    assert_close(found, ops.heads(q, k))
    assert found[0].sharding.spec == P(None, "i")
    # Two key heads cannot be split over four devices, though eight query heads could.
    q, k = normal(3, 8), normal(3, 2, seed=1)
    sharding = NamedSharding(mesh, P(None, "i"))
    split = lambda q, k: ops.heads(jax.lax.with_sharding_constraint(q, sharding), k)
    assert_close(jax.block_until_ready(jax.jit(split)(put(q), k)), ops.heads(q, k))


def test_64_bit_integers_are_widened_and_narrowed(ops):
    x, rows = normal(5, 3), jnp.asarray([4, 0])
    assert rows.dtype == jnp.int32
    y, origin = ops.take(x, rows)
    assert_close(y, x[rows])
    assert origin.dtype == jnp.int32 and origin.tolist() == [4, 0]
    dx = jax.grad(lambda x: ops.take(x, rows)[0].sum())(x)
    assert dx.sum(1).tolist() == [3, 0, 0, 0, 3]
    with pytest.raises(TypeError, match="take: rows: expected dtype i64"):
        ops.take(x, rows.astype(jnp.int16))
    with jax.enable_x64(True):
        wide = jnp.asarray([4, 0], jnp.int64)
        assert ops.take(x, wide)[1].dtype == jnp.int64
        with pytest.raises(TypeError, match="take: rows: expected dtype i64"):
            ops.take(x, rows)


def test_reference_in_place_of_a_kernel_is_batched(ops):
    x, factor = normal(2, 3, 4), normal(2)
    wanted = x * factor[:, None, None] ** 2
    assert_close(jax.vmap(ops.scale)(x, factor), wanted)
    assert_close(jax.vmap(ops.scale, (None, 0))(x[0], factor), x[0] * factor[:, None, None] ** 2)
    nested = jax.vmap(jax.vmap(ops.scale, (0, None)), (None, 0))
    assert_close(nested(x, factor), x * factor[:, None, None, None] ** 2)
