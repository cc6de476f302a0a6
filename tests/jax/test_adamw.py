"""AdamW in JAX reuses donated arrays, and does not change other arrays."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from generated._opgen.jax import weighing
from generated.jax import adamw_
from tests.jax.reference import collectives, compiled

SHAPES = [(300, 70), (5,)]


def lists() -> list[list[jax.Array]]:
    """Return parameters, gradients and both moments."""
    key = jax.random.key(0)
    return [[jax.random.uniform(key, shape) for shape in SHAPES] for _ in range(4)]


def test_donated_buffers_are_updated_in_place() -> None:
    params, grads, avgs, squares = lists()
    step, lr = jnp.float32(0), jnp.float32(0.1)
    jitted = jax.jit(adamw_, donate_argnums=(0, 2, 3, 4))
    text = jitted.lower(params, grads, avgs, squares, step, lr).compile().as_text()
    assert text.count("may-alias") + text.count("must-alias") == 7
    assert " copy(" not in text
    places = [x.unsafe_buffer_pointer() for x in (*params, *avgs, *squares)]
    results = jax.block_until_ready(jitted(params, grads, avgs, squares, step, lr))
    found = [x.unsafe_buffer_pointer() for each in results[:3] for x in each]
    assert found == places
    assert all(x.is_deleted() for x in (*params, *avgs, *squares))


def test_others_are_kept() -> None:
    params, grads, avgs, squares = lists()
    before = [np.array(x) for each in (params, avgs, squares) for x in each]
    step = jnp.float32(4)
    results = adamw_(params, grads, avgs, squares, step, jnp.float32(0.1))
    after = [np.array(x) for each in (params, avgs, squares) for x in each]
    for a, b in zip(before, after, strict=True):
        np.testing.assert_array_equal(a, b)
    assert step == 4 and results[3] == 5
    assert not np.array_equal(results[0][0], params[0])


def test_a_number_for_the_rate_is_as_wide_as_the_parameters() -> None:
    """A learning rate given as a number or array is not rounded to f32 for parameters of f64."""
    with jax.enable_x64(True):
        zeros, ones = jnp.zeros(3), jnp.ones(3)
        step = jnp.zeros((), jnp.float32)
        for call in (adamw_, jax.jit(adamw_)):
            found = call([zeros], [ones], [zeros], [zeros], step, 0.1)[0][0]
            np.testing.assert_allclose(found, -0.1 / (1 + 1e-8), rtol=1e-15)
        text = r"adamw_: lr: expected dtype f64, accum\(params.dtype\), got f32"
        with pytest.raises(TypeError, match=text):
            adamw_([zeros], [ones], [zeros], [zeros], step, jnp.float32(0.1))


needs_devices = pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices")
# Each parameter has a different sharding.
PLACED = {"a": ((64, 32), P("i", "j")), "b": ((32,), P("j")), "c": ((5, 3), P())}
KINDS = {
    "auto": (AxisType.Auto,) * 2,
    "explicit": (AxisType.Explicit,) * 2,
    "mixed": (AxisType.Explicit, AxisType.Auto),
}


def steps(kind: str):
    """Return a mesh, and the arguments of a step, once without and once with shardings."""
    mesh = jax.make_mesh((4, 2), ("i", "j"), KINDS[kind])
    keys = jax.random.split(jax.random.key(1), 4)
    plain = [[jax.random.uniform(k, shape) for shape, _ in PLACED.values()] for k in keys]
    spread = [
        [
            jax.device_put(x, NamedSharding(mesh, spec))
            for x, (_, spec) in zip(each, PLACED.values())
        ]
        for each in plain
    ]
    scalars = jnp.float32(3), jnp.float32(0.1)
    return mesh, (*plain, *scalars), (*spread, *scalars)


def assert_same(found, wanted) -> None:
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


@needs_devices
@pytest.mark.parametrize("kind", KINDS)
def test_each_parameter_keeps_its_sharding(kind: str) -> None:
    mesh, plain, spread = steps(kind)
    wanted = jax.block_until_ready(adamw_(*plain))
    with jax.set_mesh(mesh):
        assert collectives(compiled(adamw_, *spread)) == {}
        found = jax.block_until_ready(jax.jit(adamw_)(*spread))
    assert_same(found, wanted)
    for x, (shape, spec) in zip(found[0], PLACED.values(), strict=True):
        assert x.sharding.is_equivalent_to(NamedSharding(mesh, spec), len(shape))


@needs_devices
def test_long_lists_are_planned_with_as_few_trials_as_short_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Gradients and moments are split in different ways, as in ZeRO."""
    mesh = jax.make_mesh((8,), ("i",), (AxisType.Explicit,))
    cost, scalar = weighing._cost, jax.ShapeDtypeStruct((), jnp.float32)

    def trials(count: int) -> int:
        def tensors(*spec: str | None) -> list[jax.ShapeDtypeStruct]:
            sharding = NamedSharding(mesh, P(*spec))
            return [jax.ShapeDtypeStruct((64, 32), jnp.float32, sharding=sharding)] * count

        seen = []
        monkeypatch.setattr(weighing, "_cost", lambda *args: seen.append(1) or cost(*args))
        with jax.set_mesh(mesh):
            moments = tensors(None, "i"), tensors(None, "i")
            found = jax.eval_shape(adamw_, tensors(), tensors("i"), *moments, scalar, scalar)
        assert all(x.sharding.spec == P(None, "i") for each in found[:3] for x in each)
        return len(seen)

    assert trials(16) == trials(8) > 0


@needs_devices
def test_the_step_varies_over_no_axis_of_the_parameters() -> None:
    """In a user's `shard_map`, the step count varies over no mesh axis, so a loop can carry it."""
    mesh, plain, spread = steps("explicit")
    specs = [spec for _, spec in PLACED.values()]

    def three(params, grads, avgs, squares, step, lr):
        def body(carry, _):
            params, avgs, squares, step = carry
            params, avgs, squares, step, _ = adamw_(params, grads, avgs, squares, step, lr)
            return (params, avgs, squares, step), None

        return jax.lax.scan(body, (params, avgs, squares, step), length=3)[0]

    ins, outs = (specs, specs, specs, specs, P(), P()), (specs, specs, specs, P())
    function = jax.shard_map(three, mesh=mesh, in_specs=ins, out_specs=outs)
    assert collectives(compiled(function, *spread)) == {}
    assert_same(jax.block_until_ready(jax.jit(function)(*spread)), jax.jit(three)(*plain))


@needs_devices
def test_steps_that_differ_give_steps_that_differ() -> None:
    params, grads, avgs, squares = lists()
    mesh = jax.make_mesh((8,), ("i",), (AxisType.Auto,))
    function = jax.shard_map(
        lambda step: adamw_(params, grads, avgs, squares, step[0], 0.1)[3][None],
        mesh=mesh,
        in_specs=P("i"),
        out_specs=P("i"),
    )
    found = jax.block_until_ready(jax.jit(function)(jnp.arange(8.0)))
    np.testing.assert_array_equal(found, np.arange(1, 9.0))
