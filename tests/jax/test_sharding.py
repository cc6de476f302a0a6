"""Sharding on 8 virtual devices: the collectives in the optimised HLO, and the values.

Every result is awaited before the next call starts: XLA's CPU backend aborts when many multi-device
dispatches pile up.
"""

import re
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from generated import core
from generated._opgen.jax.splits import bytes_between, spec_of
from generated.jax import (
    cross_entropy,
    gelu_and_mul,
    int8_linear,
    layer_norm,
    quantize_fp8,
    relu,
    relu_bwd,
    rms_norm,
    swiglu,
    tensor_add,
)
from opgen.testing.collectives import moved
from tests.jax.reference import assert_close, collectives, compiled, gradients, normal
from tests.jax.reference import rms_norm as plain

pytestmark = pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices")

AUTO, EXPLICIT = AxisType.Auto, AxisType.Explicit
ONE_REDUCE = {"all-reduce": 1}


def mesh(shape=(8,), kind=AUTO, kinds=None):
    names = ("i", "j")[: len(shape)]
    devices = jax.devices()[: int(np.prod(shape))]
    return jax.make_mesh(shape, names, kinds or (kind,) * len(shape), devices=devices)


def put(x, mesh, *spec):
    return jax.device_put(x, NamedSharding(mesh, P(*spec)))


def check(function, reference, args, expected=None, k=64):
    """Check the collectives of `function`, and its values against the unsharded reference."""
    hlo = compiled(function, *args)
    found = jax.block_until_ready(jax.jit(function)(*args))
    wanted = jax.jit(reference)(*(jax.device_put(np.asarray(a)) for a in args))
    assert_close(found, jax.block_until_ready(wanted), k)
    if expected is not None:
        assert collectives(hlo) == expected
    return found, hlo


X, WEIGHT = normal(16, 8, 32), normal(32, seed=1)

# -- meshes whose axes the partitioner assigns ------------------------------------------


def test_forward_split_by_batch_needs_nothing():
    m = mesh()
    y, _ = check(rms_norm, plain, (put(X, m, "i"), put(WEIGHT, m)), {})
    assert y.sharding.spec == P("i")


def test_gradient_is_one_all_reduce():
    m = mesh()
    check(gradients(rms_norm), gradients(plain), (put(X, m, "i"), put(WEIGHT, m)), ONE_REDUCE)


def test_two_normalised_dims_on_four_devices():
    m = mesh((4,))
    args = put(normal(4, 512, 512), m, "i"), put(normal(512, 512, seed=1), m)
    check(gradients(rms_norm), gradients(plain), args, ONE_REDUCE, k=512)
    hlo = compiled(rms_norm, *args)
    # The kernel gets a shard and counts n1 from the shard: it is one of the four rows.
    (call,) = re.findall(r"= \((.*?)\) custom-call", hlo)
    assert call.startswith("f32[1,512,512]")


def test_a_split_normalised_dim_is_one_sum_for_each_row():
    m = mesh()
    args = put(X, m, None, None, "i"), put(WEIGHT, m, "i")
    _, hlo = check(rms_norm, plain, args, ONE_REDUCE)
    assert moved(hlo) == moved(compiled(plain, *args))
    both = gradients(rms_norm), gradients(plain)
    _, hlo = check(*both, args, {"all-reduce": 2})
    assert moved(hlo) == moved(compiled(both[1], *args))


def test_a_split_batch_and_a_split_normalised_dim():
    m = mesh((4, 2))
    args = put(X, m, "i", None, "j"), put(WEIGHT, m, "j")
    _, hlo = check(gradients(rms_norm), gradients(plain), args)
    assert "all-gather" not in collectives(hlo)
    assert moved(hlo) == moved(compiled(gradients(plain), *args))


def test_stages_under_vmap():
    """Under `vmap` over x, the mapped axis joins the batch. Over the weights, each stage is a loop."""
    m = mesh()
    x, weights = put(normal(3, 16, 32), m, None, None, "i"), put(normal(3, 32), m, None, "i")
    for axes, args in (((0, None), (x, weights[0])), ((0, 0), (x, weights))):
        both = (jax.vmap(f, axes) for f in (rms_norm, plain))
        check(*both, args, ONE_REDUCE)


def test_stages_where_shards_are_uneven_are_not_taken():
    split = NamedSharding(mesh(), P(None, "i"))
    placed = lambda f: lambda x, w: f(  # noqa: E731
        jax.lax.with_sharding_constraint(jnp.cos(x), split), w
    )
    check(placed(rms_norm), lambda x, w: plain(jnp.cos(x), w), (normal(16, 33), normal(33)))


def test_two_axes_over_two_dims():
    m = mesh((4, 2))
    args = put(X, m, "i", "j"), put(WEIGHT, m)
    (dx, _), _ = check(gradients(rms_norm), gradients(plain), args, ONE_REDUCE)
    assert dx.sharding.spec == P("i", "j")


def test_two_axes_over_one_dim():
    m = mesh((4, 2))
    args = put(X, m, ("i", "j")), put(WEIGHT, m)
    check(gradients(rms_norm), gradients(plain), args, ONE_REDUCE)


def test_a_batch_that_does_not_divide():
    """A batch may be split unevenly.

    XLA pads the shards, here with numbers other than 0. The sum must ignore this padding.
    """
    sharding = NamedSharding(mesh(), P("i"))
    split = lambda x: jax.lax.with_sharding_constraint(jnp.cos(x) + 1, sharding)  # noqa: E731

    def gradient(op, place):
        return jax.grad(lambda x, w: jnp.sum(op(place(x), w) + 1), (0, 1))

    args = normal(13, 32), WEIGHT
    shifted = lambda x: jnp.cos(x) + 1  # noqa: E731
    check(gradient(rms_norm, split), gradient(plain, shifted), args)
    check(lambda x, w: rms_norm(split(x), w), lambda x, w: plain(shifted(x), w), args)


def test_vmap_of_the_gradient():
    m = mesh()
    args = put(normal(3, 16, 32), m, None, "i"), put(WEIGHT, m)
    mapped = lambda f: jax.vmap(gradients(f), (0, None))  # noqa: E731
    check(mapped(rms_norm), mapped(plain), args, ONE_REDUCE)


def test_vmap_over_the_split_axis():
    m = mesh()
    args = put(normal(16, 3, 32), m, "i"), put(WEIGHT, m)
    mapped = lambda f: jax.vmap(gradients(f), (0, None))  # noqa: E731
    check(mapped(rms_norm), mapped(plain), args, {})


def test_both_dims_of_a_matrix():
    m = mesh((4, 2))
    args = put(X[0], m, "i", "j"), put(X[1], m, "i", "j")
    check(tensor_add, jnp.add, args, {})


def test_operands_that_are_split_differently():
    m = mesh((4, 2))
    check(tensor_add, jnp.add, (put(X[0], m, "i"), put(X[1], m, None, "j")))
    check(tensor_add, jnp.add, (put(X[0], m, "i"), put(X[1], m, None, "i")))


def test_a_scalar():
    check(lambda x: relu(x.sum()), lambda x: jax.nn.relu(x.sum()), (put(X, mesh(), "i"),))


def test_without_a_rule_the_operand_is_gathered():
    """Without a sharding rule the operand is gathered, which the checks above would report."""
    m = mesh()

    def bare(x, weight):
        results = [
            jax.ShapeDtypeStruct(x.shape, x.dtype),
            jax.ShapeDtypeStruct(x.shape[:2], x.dtype),
        ]
        function = jax.ffi.ffi_call("generated.rms_norm", results)
        attrs = {"batch_dims": np.int64(0), "op_hash": np.int64(core.rms_norm.op_hash)}
        return function(x, weight, eps=np.float64(1e-5), **attrs)[0]

    _, hlo = check(bare, plain, (put(X, m, "i"), put(WEIGHT, m)))
    assert collectives(hlo)["all-gather"] >= 1


def test_gspmd():
    shardy = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        m = mesh((4, 2))
        args = put(X, m, "i", "j"), put(WEIGHT, m)
        check(rms_norm, plain, args, {})
        check(gradients(rms_norm), gradients(plain), args, ONE_REDUCE)
    finally:
        jax.config.update("jax_use_shardy_partitioner", shardy)


@pytest.mark.parametrize("kind", [AUTO, EXPLICIT], ids=str)
def test_a_gradient_is_split_along_a_multiple_as_its_input_is(kind):
    """The dim `2*d` cannot be split. Rows are split instead, and then `2*d` of the result again."""
    m = mesh(kind=kind)
    x = put(normal(16, 64), m, None, "i")
    with jax.set_mesh(m):
        hlo = compiled(jax.grad(lambda x: jnp.sum(gelu_and_mul(x) ** 2)), x)
    there_and_back = 2 * 16 * 64 * 4 // 8 * 7 // 8
    y = 16 * 32 * 4 * 7 // 8  # which Shardy gathers, and an explicit mesh exchanges twice
    assert moved(hlo) == there_and_back + (y if kind is AUTO else 2 * y // 8)


# -- meshes whose axes are part of the types ----------------------------------------------

MESHES = {
    "explicit": lambda: mesh((8,), EXPLICIT),
    "2-D": lambda: mesh((4, 2), EXPLICIT),
    "mixed": lambda: mesh((4, 2), kinds=(EXPLICIT, AUTO)),
}


@pytest.fixture(params=MESHES)
def explicit(request):
    with jax.set_mesh(MESHES[request.param]()):
        yield jax.sharding.get_mesh()


def test_explicit(explicit):
    args = put(X, explicit, "i"), put(WEIGHT, explicit)
    y, _ = check(rms_norm, plain, args, {})
    assert jax.typeof(y).sharding.spec == P("i", None, None)
    check(gradients(rms_norm), gradients(plain), args, ONE_REDUCE)


def test_explicit_split_rows(explicit):
    args = put(X, explicit, None, None, "i"), put(WEIGHT, explicit, "i")
    _, hlo = check(rms_norm, plain, args)
    assert "all-gather" not in collectives(hlo)
    (dx, dweight), _ = check(gradients(rms_norm), gradients(plain), args)
    assert jax.typeof(dx).sharding.spec == P(None, None, "i")
    assert jax.typeof(dweight).sharding.spec == P("i")


def test_explicit_vmap(explicit):
    mapped = lambda f: jax.vmap(gradients(f), (0, None))  # noqa: E731
    inner = put(normal(4, 16, 32), explicit, None, "i"), put(WEIGHT, explicit)
    check(mapped(rms_norm), mapped(plain), inner, ONE_REDUCE)
    outer = put(normal(8, 4, 32), explicit, "i"), put(WEIGHT, explicit)
    check(mapped(rms_norm), mapped(plain), outer, {})


def test_explicit_second_order(explicit):
    def twice(op):
        inner = lambda x, w: sum(jnp.sum(g * g) for g in gradients(op)(x, w)) ** 0.5  # noqa: E731
        return jax.grad(inner, (0, 1))

    args = put(X[:, 0], explicit, "i"), put(WEIGHT, explicit)
    check(twice(rms_norm), twice(plain), args, k=4096)


def test_explicit_two_dims():
    m = mesh((4, 2), EXPLICIT)
    with jax.set_mesh(m):
        args = put(X, m, "i", "j"), put(WEIGHT, m)
        check(gradients(rms_norm), gradients(plain), args, ONE_REDUCE)


def test_explicit_second_order_of_arrays_that_are_split_differently():
    m = mesh(kind=EXPLICIT)
    with jax.set_mesh(m):
        dy, y = put(normal(16, 8), m, "i"), put(normal(16, 8, seed=1), m, None, "i")
        gradient = jax.grad(lambda dy: jnp.sum(relu_bwd(dy, y) ** 2))
        found = jax.block_until_ready(jax.jit(gradient)(dy))
        assert jax.typeof(found).sharding == jax.typeof(dy).sharding
    assert_close(found, jnp.where(normal(16, 8, seed=1) <= 0, 0, 2 * normal(16, 8)))


def squared(f):
    return lambda xs: sum(jnp.sum(y**2) for y in jax.tree.leaves(f(xs)))


ORDERS = {
    "forward": lambda f, xs: jax.jvp(f, (xs,), (xs,))[1],
    "forward over reverse": lambda f, xs: jax.jvp(jax.grad(squared(f)), (xs,), (xs,))[1],
    "reverse over reverse": lambda f, xs: jax.grad(squared(jax.grad(squared(f))))(xs),
}
# Ops, and arrays that their references cannot combine on an explicit mesh. The axis divides `2*d`
# of `gelu_and_mul`, but not `d`.
LAYOUTS = {
    "gelu_and_mul": (gelu_and_mul, (normal(2, 8), P(None, "i"))),
    "swiglu": (swiglu, (X[:, 0, :8], P("i", None)), (X[:, 1, :8], P(None, "i"))),
    "cross_entropy": (
        lambda x: cross_entropy(x, jnp.arange(16) % 8, reduction="none"),
        (X[:, 0, :8], P(None, "i")),
    ),
    # Its second derivative does not read all of its residuals.
    "layer_norm": (
        lambda x, weight: layer_norm(x, weight, normalized_shape=(8,)),
        (X[:, 0, :8], P("i", None)),
        (X[0, 1, :8], P(None)),
    ),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_explicit_derivatives_by_a_reference(layout, order, explicit):
    op, *given = LAYOUTS[layout]
    function = jax.jit(lambda *xs: ORDERS[order](lambda xs: op(*xs), xs))
    found = jax.block_until_ready(function(*(put(x, explicit, *spec) for x, spec in given)))
    wanted = jax.block_until_ready(function(*(np.asarray(x) for x, _ in given)))
    assert_close(found, wanted, k=256)
    if order != "forward":
        assert [jax.typeof(x).sharding.spec for x in found] == [spec for _, spec in given]


def test_explicit_transpose_by_a_reference(explicit):
    def transposed(x, weight):
        return jax.linear_transpose(lambda weight: rms_norm(x, weight), weight)(x)

    x = X[:, 0]
    (found,) = transposed(put(x, explicit, None, "i"), put(WEIGHT, explicit, "i"))
    assert jax.typeof(found).sharding.spec == P("i")
    assert_close(found, jax.vjp(lambda weight: plain(x, weight), WEIGHT)[1](x))


# -- inside shard_map -----------------------------------------------------------------------


def mapped(f, m, ins, outs, **options):
    return jax.shard_map(f, mesh=m, in_specs=ins, out_specs=outs, **options)


def test_shard_map():
    m, rows = mesh(), (P("i"), P())
    check(mapped(rms_norm, m, rows, P("i")), plain, (X, WEIGHT), {})
    inside = mapped(gradients(rms_norm), m, rows, rows)
    check(inside, gradients(plain), (X, WEIGHT), ONE_REDUCE)
    outside = gradients(mapped(rms_norm, m, rows, P("i")))
    check(outside, gradients(plain), (X, WEIGHT), ONE_REDUCE)


def test_shard_map_without_checks_of_varying_axes():
    def local(x, weight):
        dx, dweight = gradients(rms_norm)(x, weight)
        return dx, jax.lax.psum(dweight, "i")

    rows = (P("i"), P())
    function = mapped(local, mesh(), rows, rows, check_vma=False)
    check(function, gradients(plain), (X, WEIGHT), ONE_REDUCE)


def test_shard_map_second_order():
    """In `shard_map`, dweight is a shard's part, and second derivatives equal the reference's."""
    rows = (P("i"), P())

    def twice(op):
        def loss(x, weight):
            dx, dweight = gradients(op)(x, weight)
            return (jax.lax.psum(jnp.sum(dx * dx), "i") + jnp.sum(dweight**2)) ** 0.5

        return mapped(jax.grad(loss, (0, 1)), mesh(), rows, rows)

    args = X[:, 0], WEIGHT
    found = jax.block_until_ready(jax.jit(twice(rms_norm))(*args))
    assert_close(found, jax.block_until_ready(jax.jit(twice(plain))(*args)), k=4096)


def test_shard_map_with_an_operand_that_does_not_vary():
    def grad(op):
        inner = jax.grad(lambda a, b: jnp.sum(op(a, b) ** 2), (0, 1))
        return mapped(inner, mesh(), (P("i"), P()), (P("i"), P()))

    a, b = normal(16, 4), normal(2, 4, seed=1)
    found = jax.block_until_ready(jax.jit(grad(tensor_add))(a, b))
    assert_close(found, jax.block_until_ready(jax.jit(grad(jnp.add))(a, b)))


@pytest.mark.parametrize("kinds", [(AUTO, AUTO), (EXPLICIT, EXPLICIT)])
def test_partial_manual(kinds):
    m, rows = mesh((4, 2), kinds=kinds), (P("i"), P())
    with jax.set_mesh(m):
        args = put(X, m, "i", "j" if kinds[0] is AUTO else None), put(WEIGHT, m)
        inside = mapped(gradients(rms_norm), None, rows, rows, axis_names={"i"})
        check(inside, gradients(plain), args)


@pytest.mark.parametrize("kind", [AUTO, EXPLICIT], ids=str)
def test_a_split_is_given_up_where_a_gather_moves_less(kind):
    """An op gathers a split weight if that moves fewer bytes.

    A sum over the shards would move two results, and the weight is far smaller.
    """
    m = mesh(kind=kind)
    weight = jnp.ones((16, 64), jnp.int8)
    hlo = compiled(
        int8_linear, put(normal(64, 64), m), put(weight, m, None, "i"), put(normal(16), m)
    )
    assert collectives(hlo) == {"all-gather": 1}
    assert moved(hlo) == 16 * 64 * 7 // 8


@pytest.mark.parametrize("columns, expected", [(8 * 64, {}), (4 * 64, None)])
def test_columns_of_blocks(columns, expected):
    """If each device has whole blocks of 64 columns, it keeps its part of each result."""
    m, x = mesh(), normal(16, columns)
    quantize = partial(quantize_fp8, block=64)
    (q, scale), _ = check(quantize, quantize, [put(x, m, None, "i")], expected)
    assert (scale.sharding.spec == P(None, "i")) == (expected == {})


def test_a_result_follows_the_split_of_a_multiple():
    """A result with `d` columns keeps the split of an operand with `2*d` columns."""
    y = gelu_and_mul(put(normal(16, 32), mesh(kind=EXPLICIT), None, "i"))
    assert jax.typeof(y).sharding.spec == P(None, "i")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((("i",), (), ()), ((), (), ())),
        ((("i",), (), ()), ((), ("i",), ())),
        ((("i", "j"), (), ()), ((), ("i", "j"), ())),
        (((), (), ("i", "j")), (("i",), ("j",), ())),  # gathered, then cut
        ((("i",), ("j",), ()), ((), (), ("i", "j"))),
    ],
    ids=["gather", "exchange", "exchange-two", "to-two-dims", "from-two-dims"],
)
def test_the_cost_of_a_new_split_is_what_xla_moves(before, after):
    m, x = mesh((4, 2)), normal(8, 8, 16)
    to = NamedSharding(m, spec_of(after))
    move = lambda x: jax.lax.with_sharding_constraint(2 * x, to)  # noqa: E731
    hlo = compiled(move, put(x, m, *spec_of(before)))
    assert moved(hlo) == bytes_between(x.nbytes, before, after, {"i": 4, "j": 2})
