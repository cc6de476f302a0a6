"""Rotary on every kind of mesh: each split dim stays on its devices, and nothing is moved.

Every result is awaited before the next call starts, as in test_sharding.py.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AbstractMesh, AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from generated.jax import rms_norm, rotary
from opgen.testing.collectives import moved
from tests.jax.reference import assert_close, collectives, compiled, normal
from tests.jax.reference import rms_norm as plain
from tests.jax.rendering import package

pytestmark = pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices")

AUTO, EXPLICIT = AxisType.Auto, AxisType.Explicit

# Two heads of k: fewer than devices, and not a multiple of 4.
Q, K = normal(4, 8, 4, 16), normal(4, 8, 2, 16, seed=1)
POSITIONS, COS_SIN = jnp.arange(8, dtype=jnp.int32), normal(8, 16, seed=2)

# How q and k are split, and how the positions are.
LAYOUTS = {
    "data": (P("d"), P()),
    "tensor": (P(None, None, "t"), P()),
    "context": (P(None, "d"), P("d")),
    "sequence of shared positions": (P(None, "d"), P()),
    "data and tensor": (P("d", None, "t"), P()),
    "context and tensor": (P(None, "d", "t"), P("d")),
    "both along one dim": (P(None, ("d", "t")), P()),
}


def op(q, k, positions):
    return rotary(q, positions, COS_SIN, k)


def rotated_back(q, k):
    return rotary(q, POSITIONS, COS_SIN, k, inverse=True)


def elementwise(q, k, positions):
    """Compute an elementwise op in plain JAX, as a measure of the bytes that JAX moves."""
    return q * positions[:, None, None], k * positions[:, None, None]


def mesh(kinds=(AUTO, AUTO)):
    return jax.make_mesh((4, 2), ("d", "t"), kinds)


def put(m, heads, positions):
    specs = heads, heads, positions
    arrays = Q, K, POSITIONS
    return [jax.device_put(x, NamedSharding(m, s)) for x, s in zip(arrays, specs)]


def check(function, args, native=None) -> None:
    """Check that `function` has only the collectives of `native`, and the unsharded values."""
    allowed = collectives(compiled(native, *args)) if native else {}
    assert collectives(compiled(function, *args)) == allowed
    found = jax.block_until_ready(jax.jit(function)(*args))
    for a, b in zip(found, jax.jit(op)(Q, K, POSITIONS), strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


KINDS = {
    "auto": (AUTO, AUTO),
    "explicit": (EXPLICIT, EXPLICIT),
    "explicit and auto": (EXPLICIT, AUTO),
    "auto and explicit": (AUTO, EXPLICIT),
}


# A dim may be split over axes of one kind only; a `shard_map` over one axis splits such a dim
# itself.
MIXED = [each for each in LAYOUTS if each != "both along one dim"]
MANUAL = [each for each in MIXED if "shared" not in each]
CALLS = [(k, layout) for k in KINDS for layout in (MIXED if "and" in k else LAYOUTS)]


@pytest.mark.parametrize("kind, layout", CALLS)
def test_types_and_partitioner(kind, layout):
    m = mesh(KINDS[kind])
    with jax.set_mesh(m):
        args = put(m, *LAYOUTS[layout])
        check(op, args)
        for x, y in zip(args, jax.block_until_ready(jax.jit(op)(*args))):
            assert y.sharding.is_equivalent_to(x.sharding, 4)


def without(spec, *axes):
    """Return a partition spec without some axes."""
    return P(*(None if entry in axes else entry for entry in spec))


def partial_map(heads, positions, axis):
    """Return `shard_map` over one axis of the mesh."""
    specs = {"in_specs": (heads, heads, positions), "out_specs": (heads, heads)}
    return functools.partial(jax.shard_map, axis_names={axis}, **specs)


@pytest.mark.parametrize("layout", MANUAL)
@pytest.mark.parametrize("kind", KINDS)
def test_partly_manual(kind, layout):
    """A `shard_map` over one mesh axis leaves the other axis to the types or the partitioner."""
    m = mesh(KINDS[kind])
    heads, positions = LAYOUTS[layout]
    with jax.set_mesh(m):
        for axis, other in (("d", "t"), ("t", "d")):
            over = partial_map(without(heads, other), without(positions, other), axis)
            check(over(op), put(m, heads, positions), over(elementwise))


@pytest.mark.parametrize("layout", ["data and tensor", "context and tensor"])
def test_nested(layout):
    m = mesh()
    heads, positions = LAYOUTS[layout]

    inner = partial_map(without(heads, "d"), without(positions, "d"), "t")
    outer = partial_map(without(heads, "t"), without(positions, "t"), "d")
    with jax.set_mesh(m):
        args = put(m, heads, positions)
        check(outer(inner(op)), args, outer(inner(elementwise)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gspmd(layout):
    shardy = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        check(op, put(mesh(), *LAYOUTS[layout]))
    finally:
        jax.config.update("jax_use_shardy_partitioner", shardy)


def test_abstract():
    m = mesh()
    with jax.sharding.use_abstract_mesh(AbstractMesh((4, 2), ("d", "t"), (AUTO, AUTO))):
        check(op, put(m, *LAYOUTS["data and tensor"]))


def test_arrays_that_were_made_outside_the_mesh():
    with jax.set_mesh(mesh()):
        check(op, [Q, K, POSITIONS])


def test_sums_of_a_partly_manual_call():
    """Gradients are summed over the partitioner's axes, but not over the manual axes."""

    def gradient(f):
        inner = jax.grad(lambda w, x: jnp.sum(f(x, w) ** 2))
        return lambda x, w: jax.shard_map(
            lambda x, w: inner(jax.lax.pcast(w, "d", to="varying"), x)[None],
            in_specs=(P("d"), P()),
            out_specs=P("d"),
            axis_names={"d"},
        )(x, w)

    m = mesh()
    x, weight = normal(8, 4, 32), normal(32, seed=1)
    with jax.set_mesh(m):
        placed = jax.device_put(x, NamedSharding(m, P("d", "t"))), weight
        assert collectives(compiled(gradient(rms_norm), *placed)) == {"all-reduce": 1}
        found = jax.block_until_ready(jax.jit(gradient(rms_norm))(*placed))
        wanted = jax.block_until_ready(jax.jit(gradient(plain))(*placed))
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_sums_of_16_bits(kind):
    """16-bit gradients are summed right if only some mesh axes are manual.

    XLA's CPU backend would abort on a 16-bit reduction in this case.
    """
    from generated.jax import embedding

    m = mesh(KINDS[kind])
    table, ids = jnp.ones((16, 16), jnp.bfloat16), jnp.arange(128, dtype=jnp.int32) % 16
    gradient = jax.grad(lambda t, i: jnp.sum(embedding(t, i).astype(jnp.float32) ** 2))
    with jax.set_mesh(m):
        placed = jax.device_put(ids.reshape(16, 8), NamedSharding(m, P("d", "t")))
        found = jax.block_until_ready(jax.jit(gradient)(table, placed))
    np.testing.assert_array_equal(np.asarray(found, np.float32), 16.0)


# -- dims that have to be whole ---------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_is_left_as_its_operand_was(kind):
    """A result keeps the sharding of its operand, so that the next op moves no data.

    Here, the next op adds the result and the operand.
    """
    m = mesh(KINDS[kind])
    x, weight = normal(8, 4, 32), normal(32, seed=1)
    with jax.set_mesh(m):
        placed = jax.device_put(x, NamedSharding(m, P(None, "t", "d")))
        function = lambda x, w: (x + rms_norm(x, w), x)  # noqa: E731
        y, _ = jax.block_until_ready(jax.jit(function)(placed, weight))
        assert y.sharding.is_equivalent_to(placed.sharding, 3)
        hlo = compiled(function, placed, weight)
    np.testing.assert_allclose(y, x + plain(x, weight), rtol=1e-5, atol=1e-5)
    # One number for each row, where otherwise the rows would be gathered.
    assert collectives(hlo) == {"all-reduce": 1}


@pytest.mark.parametrize("kind", KINDS)
def test_an_axis_goes_to_no_dim_that_a_hidden_one_may_split(kind):
    """An axis is not used for a dim if a hidden axis may already split it.

    The mesh's types do not show how the partitioner uses its axes. The partitioner may already
    split the batch over one of them. Moving another axis to the batch then saves no bytes.
    """
    from generated.jax import layer_norm
    from generated.reference.layer_norm import layer_norm as native

    def gradient(function):
        loss = lambda *xs: jnp.sum(function(*xs) ** 2)  # noqa: E731
        return jax.jit(jax.grad(loss, (0, 1, 2)))

    m = mesh(KINDS[kind])
    x, weight, bias = normal(16, 8, 2), normal(2, seed=1), normal(2, seed=2)
    with jax.set_mesh(m):
        specs = P("d", None, "t"), P("t"), P("t")
        placed = [jax.device_put(a, NamedSharding(m, s)) for a, s in zip((x, weight, bias), specs)]
        most, bytes = (
            moved(gradient(function).lower(*placed).compile().as_text())
            for function in (
                functools.partial(native, jnp, normalized_shape=(2,), eps=1e-5),
                functools.partial(layer_norm, normalized_shape=(2,), eps=1e-5),
            )
        )
    assert bytes <= most


@functools.cache
def decide(op_name: str):
    """Return a function that gives an op's sharding plan for operand shapes and specs."""
    import importlib

    from generated._opgen.jax.call import call_of
    from generated._opgen.jax.plan import plan

    kernel = importlib.import_module(f"generated.jax._{op_name}")._KERNEL

    def decided(shapes, specs, sizes, wanted=None, **attrs):
        operands = [jax.ShapeDtypeStruct(s, jnp.float32) for s in shapes]
        call = call_of(kernel, operands, kernel.complete(operands, attrs))
        return plan(call, operands, specs, sizes, wanted)

    return decided


def test_an_axis_that_does_not_divide_is_tried_by_itself():
    found = decide("rms_norm_bwd")
    shapes, specs = [(6, 32), (6,), (6, 32), (32,)], [P(("d", "t"))] * 3 + [P()]
    split = found(shapes, specs, {"d": 4, "t": 2})
    # The axis that `batch` cannot use is used for the rows, by stages.
    assert split.inputs[0] == P("t", "d") and split.outputs[0] == P("t", "d")
    assert [(each.axis, each.reason) for each in split.moved if each.operand == 0] == [
        ("d", "`batch` = 6 is no multiple of 4")
    ]


def test_of_as_many_bytes_fewer_collectives_are_taken():
    """Of plans with equal bytes, the one with fewer collectives is chosen.

    Here, rows of four floats have as many bytes as the two sums of the other plan.
    """
    found, rows = decide("layer_norm"), P(None, "d")
    few, more = (
        found([(7, n), (n,), (n,)], [rows, P(), P()], {"d": 2}, normalized_shape=(n,), eps=1e-5)
        for n in (4, 6)
    )
    assert few.bytes == more.bytes == 7 * 4 * 2
    assert few.inputs[0] == P(None, None) and more.inputs[0] == rows


def test_arrays_that_disagree_are_split_as_moves_the_fewest_bytes():
    """If arrays are split differently, the split that moves the fewest bytes is used.

    Here, this is the split that the caller wants for the results.
    """
    found, columns, rows = decide("tensor_add"), P(None, ("d", "t")), P(("d", "t"), None)
    for wanted in (rows, columns):
        split = found([(16, 16)] * 2, [columns, rows], {"d": 2, "t": 2}, [wanted])
        assert split.outputs[0] == wanted and split.bytes == 192


def test_an_axis_of_a_whole_dim_goes_to_another():
    found = decide("fused_add_rms_norm")
    rows, weight = P(None, "d"), P()
    split = found([(8, 32), (8, 32), (32,)], [rows, rows, weight], {"d": 4})
    assert split.inputs[0] == P("d", None) and split.placed[0] == rows
    split = found([(3, 32), (3, 32), (32,)], [rows, rows, weight], {"d": 4})
    assert split.inputs[0] == P(None, None) and split.placed[0] == rows
    # A split weight is gathered, because splitting the rows would also move them.
    split = found([(8, 32), (8, 32), (32,)], [P(), P(), P("d")], {"d": 4})
    assert split.inputs == (P(None, None), P(None, None), P(None))


# -- means --------------------------------------------------------------------------------


def mean_of(logits, labels):
    """Return the mean of the rows whose label is not -100."""
    rows = jax.nn.logsumexp(logits, -1)
    index = jnp.where(labels == -100, 0, labels)[..., None]
    rows -= jnp.take_along_axis(logits, index, -1)[..., 0]
    counts = labels != -100
    return jnp.sum(jnp.where(counts, rows, 0)) / jnp.sum(counts)


@pytest.mark.parametrize("ignored", [0, 3, 16, 64])
@pytest.mark.parametrize("kind", KINDS)
def test_a_mean_is_a_sum_and_a_count(kind, ignored):
    """A mean exchanges a sum and a count.

    The shards may have different counts, one shard may count nothing, or all may count nothing.
    """
    from generated.jax import cross_entropy

    m = mesh(KINDS[kind])
    logits = normal(16, 4, 33)
    labels = jnp.arange(64, dtype=jnp.int32) % 33
    labels = labels.at[:ignored].set(-100).reshape(16, 4)
    found = jax.value_and_grad(cross_entropy)
    with jax.set_mesh(m):
        rows = NamedSharding(m, P("d", "t"))
        args = jax.device_put(logits, rows), jax.device_put(labels, rows)
        hlo = compiled(found, *args)
        loss, gradient = jax.block_until_ready(jax.jit(found)(*args))
        assert gradient.sharding.is_equivalent_to(rows, 3)
    wanted = jax.value_and_grad(mean_of)(logits, labels)
    np.testing.assert_allclose(loss, wanted[0], rtol=1e-6)
    np.testing.assert_allclose(gradient, wanted[1], rtol=1e-5, atol=1e-8)
    # Of two numbers; on axes of two kinds, over one axis after the other.
    assert collectives(hlo).keys() == {"all-reduce"} and moved(hlo) <= 2 * 2 * 2 * 4


TOTAL = """
spec = 1
[dtypes]
T = ["f32"]

[ops.total]
doc            = "The sum of the squares of all tensors."
reference      = "ops.py:total"
inputs.xs      = { dtype = "T", shape = "*s[i]", list = "n" }
outputs.y      = { dtype = "T", shape = "", reduce = { s = "sum" } }
grad           = "none"
sharding.split = ["s"]
kernels        = ["reference"]
"""
TOTAL_REFERENCE = '''
def total(xp, xs):
    """The sum of the squares of all elements."""
    return sum(xp.sum(x * x) for x in xs)
'''


@pytest.mark.parametrize("kind", KINDS)
def test_a_sum_over_a_list_whose_tensors_are_split_differently(kind, tmp_path):
    """A sum over a list is right even if its tensors are split differently.

    A shard's part of one tensor and the whole of another must not be added.
    """
    total = package(tmp_path, TOTAL, TOTAL_REFERENCE).total
    m = mesh(KINDS[kind])
    xs = [normal(8, 4), normal(3, seed=1), normal(4, 2, seed=2)]
    specs = [P("d"), P(), P(None, "t")]
    wanted = sum(float(jnp.sum(x * x)) for x in xs)
    with jax.set_mesh(m):
        placed = [jax.device_put(x, NamedSharding(m, s)) for x, s in zip(xs, specs)]
        found = jax.block_until_ready(jax.jit(lambda *xs: total([*xs]))(*placed))
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize("kind", [AUTO, EXPLICIT])
def test_linearized_and_transposed_on_a_mesh(kind):
    """Queries stay split in a linearized and transposed call.

    There, the transpose of the backward computes the tangents.
    """
    m = mesh((kind, kind))
    wanted = op(Q * Q, K * K, POSITIONS)
    with jax.set_mesh(m):
        q, k, positions = put(m, *LAYOUTS["data"])
        linear = jax.jit(lambda q, k: jax.linearize(lambda q, k: op(q, k, positions), q, k)[1])
        found = jax.block_until_ready(jax.jit(linear(q, k))(q * q, k * k))
        assert_close(found, wanted)
        transpose = jax.jit(
            lambda q, k: jax.linear_transpose(lambda q, k: op(q, k, positions), q, k)((q, k))
        )
        back = jax.block_until_ready(transpose(*found))
        assert_close(back, rotated_back(*wanted))
        assert [x.sharding.spec[0] for x in (*found, *back)] == ["d"] * 4
