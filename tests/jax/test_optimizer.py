"""The op's AdamW agrees with AdamW in float64 and with optax's, and works in place."""

from __future__ import annotations

import inspect
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from generated.jax import adamw

optax = pytest.importorskip("optax", reason="optax is not installed")
KEY = jax.random.key(0)


def tree(dtype=jnp.float32, key=KEY) -> dict:
    return {
        "a": jax.random.normal(key, (37, 5), dtype),
        "b": [jax.random.normal(key, (3,), dtype), jnp.ones((), jnp.float32)],
    }


def grads(n: int, like: dict) -> dict:
    keys = jax.random.split(jax.random.fold_in(KEY, n), 3)
    leaves, structure = jax.tree.flatten(like)
    made = [jax.random.normal(k, p.shape).astype(p.dtype) for k, p in zip(keys, leaves)]
    return structure.unflatten(made)


def exact(params, gradients, lr, b1=0.9, b2=0.999, eps=1e-8, decay=1e-2):
    """Compute AdamW in float64."""
    p = np.asarray(params, np.float64)
    m = v = np.zeros_like(p)
    for t, g in enumerate(gradients, start=1):
        g = np.asarray(g, np.float64)
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        change = m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps)
        p = p * (1 - lr * decay) - lr * change
    return p


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float16])
def test_twenty_steps_beside_optax(dtype) -> None:
    """Results are as near to AdamW in float64 as optax's, within one rounding."""
    ours, theirs = adamw(1e-2, weight_decay=1e-2), optax.adamw(1e-2, weight_decay=1e-2)
    start = tree(dtype)
    found = []
    for optimizer in (ours, theirs):

        @jax.jit
        def step(params, state, gradients, optimizer=optimizer):
            updates, state = optimizer.update(gradients, state, params)
            return optax.apply_updates(params, updates), state

        params, state = start, optimizer.init(start)
        for n in range(20):
            params, state = step(params, state, grads(n, start))
        found.append(jax.tree.leaves(params))
    each = [jax.tree.leaves(grads(n, start)) for n in range(20)]
    for i, p in enumerate(jax.tree.leaves(start)):
        wanted = exact(p, [gradients[i] for gradients in each], 1e-2)
        error, other = (np.abs(np.asarray(f[i], np.float64) - wanted).max() for f in found)
        assert found[0][i].dtype == p.dtype
        other = np.nan_to_num(other)  # optax keeps moments in f16, where 1e-8 is 0
        bound = 1.5 * other + 4 * float(jnp.finfo(p.dtype).eps) * np.abs(wanted).max()
        assert error <= bound


RATES = {
    "number": lambda: 1e-2,
    "NumPy": lambda: np.float64(1e-2),
    "array": lambda: jnp.asarray(1e-2, jnp.float64),
    "schedule": lambda: lambda count: 1e-2 + 0.0 * count,
}


@pytest.mark.parametrize("rate", RATES)
def test_fifty_steps_in_float64(rate: str) -> None:
    """A learning rate is not rounded to f32: parameters of f64 keep all digits."""
    with jax.enable_x64(True):
        params = tree(jnp.float64)
        start, optimizer = params, adamw(RATES[rate](), weight_decay=1e-2)
        state = optimizer.init(params)
        step = jax.jit(optimizer.step)
        for n in range(50):
            params, state = step(params, grads(n, start), state)
        each = [jax.tree.leaves(grads(n, start)) for n in range(50)]
        leaves = zip(*map(jax.tree.leaves, (start, params)), strict=True)
        for i, (p, found) in enumerate(leaves):
            wanted = exact(p, [gradients[i] for gradients in each], 1e-2)
            eps = float(jnp.finfo(p.dtype).eps)
            assert found.dtype == p.dtype
            np.testing.assert_allclose(found, wanted, rtol=64 * eps, atol=64 * eps)


@pytest.mark.parametrize("x64", [False, True])
def test_a_rate_of_any_width_for_f32(x64: bool) -> None:
    """A learning rate of any width is converted to the parameters' computation dtype.

    The setting of 64-bit types does not matter.
    """
    params, found = tree(), []
    with jax.enable_x64(x64):
        for rate in (1e-2, np.float32(1e-2), np.float64(1e-2), jnp.asarray(1e-2)):
            optimizer = adamw(rate)
            found.append(optimizer.step(params, grads(0, params), optimizer.init(params))[0])
    for other in found[1:]:
        assert jax.tree.all(jax.tree.map(jnp.array_equal, other, found[0]))


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
def test_updates_lead_to_what_a_step_gives(dtype) -> None:
    optimizer, params = adamw(0.3, amsgrad=True), tree(dtype)
    state = optimizer.init(params)
    for n in range(3):
        gradients = grads(n, params)
        updates, after = optimizer.update(gradients, state, params)
        added = optax.apply_updates(params, updates)
        params, state = optimizer.step(params, gradients, state)
        for a, b in zip(
            jax.tree.leaves((added, after)), jax.tree.leaves((params, state)), strict=True
        ):
            tolerance = 0 if a.dtype == jnp.bfloat16 else 1e-6
            np.testing.assert_allclose(np.float32(a), np.float32(b), tolerance, tolerance)
    assert state[0].count == 3


def test_schedules_see_the_number_of_steps_made() -> None:
    schedule = optax.linear_schedule(0.1, 0.0, 4)
    ours, theirs = (f(schedule, weight_decay=1e-2) for f in (adamw, optax.adamw))
    params = {"a": jnp.ones(5)}
    states = [ours.init(params), theirs.init(params)]
    for n in range(4):
        gradients = {"a": jnp.arange(5.0) + n}
        mine, states[0] = ours.update(gradients, states[0], params)
        their, states[1] = theirs.update(gradients, states[1], params)
        np.testing.assert_allclose(mine["a"], their["a"], rtol=1e-4)


def test_it_composes() -> None:
    params = tree()
    chain = optax.chain(optax.clip_by_global_norm(1.0), adamw(1e-2), optax.scale(0.5))
    updates, _ = chain.update(grads(0, params), chain.init(params), params)
    assert jax.tree.structure(updates) == jax.tree.structure(params)
    masked = optax.masked(adamw(1e-2), {"a": True, "b": [False, True]})
    updates, _ = masked.update(grads(0, params), masked.init(params), params)
    assert not np.allclose(updates["a"], grads(0, params)["a"])
    np.testing.assert_array_equal(updates["b"][0], grads(0, params)["b"][0])
    parted = optax.partition({"x": adamw(1e-1), "y": adamw(1e-3)}, {"a": "x", "b": "y"})
    updates, _ = parted.update(grads(0, params), parted.init(params), params)
    assert float(abs(updates["a"]).max()) > 10 * float(abs(updates["b"][0]).max())


def test_a_step_is_in_place_where_all_is_donated() -> None:
    optimizer, params = adamw(1e-3, amsgrad=True), tree()
    state, gradients = optimizer.init(params), grads(0, params)
    step = jax.jit(optimizer.step, donate_argnums=(0, 2))
    text = step.lower(params, gradients, state).compile().as_text()
    assert not re.search(r"\[\d\S* copy\(", text)  # except for the number of steps, a scalar
    donated = jax.tree.leaves((params, state))
    assert text.count("may-alias") + text.count("must-alias") == len(donated)
    places = [x.unsafe_buffer_pointer() for x in donated if x.ndim]
    found = jax.tree.leaves(jax.block_until_ready(step(params, gradients, state)))
    assert [x.unsafe_buffer_pointer() for x in found if x.ndim] == places
    assert all(x.is_deleted() for x in donated)


def test_mistakes_are_reported_by_name() -> None:
    optimizer, params = adamw(1e-3), tree()
    state = optimizer.init(params)
    with pytest.raises(ValueError, match="adamw: params: expected those"):
        optimizer.update(params, state)
    with pytest.raises(ValueError, match="adamw: grads: expected a tree like"):
        optimizer.update({"a": params["a"]}, state, params)
    with pytest.raises(ValueError, match="adamw_: requires beta1 < 1.0, got beta1 = 2.0"):
        adamw(1e-3, b1=2.0).update(params, state, params)


def test_it_is_called_as_that_of_optax() -> None:
    mine, theirs = (inspect.signature(f).parameters for f in (adamw, optax.adamw))
    assert [*mine][: len(theirs)] == [*theirs]
    for name, parameter in theirs.items():
        assert mine[name].default == parameter.default and mine[name].kind == parameter.kind
    assert {*mine} - {*theirs} == {"amsgrad", "maximize"}


MASK = {"a": True, "b": False}
DECAYING = optax.linear_schedule(0.5, 0.0, 4)
OPTIONS = {
    "defaults": {},
    "mask": {"mask": MASK, "weight_decay": 0.3},
    "mask of the parameters": {
        "mask": lambda params: jax.tree.map(lambda p: p.ndim > 1, params),
        "weight_decay": 0.3,
    },
    "moments of bf16": {"mu_dtype": jnp.bfloat16},
    "Nesterov": {"nesterov": True},
    "root": {"eps_root": 1e-3},
    "schedules": {"weight_decay": DECAYING, "mask": MASK},
    "arrays": {"b1": jnp.float32(0.8), "b2": jnp.float32(0.9), "eps": jnp.float32(1e-6)},
}


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
@pytest.mark.parametrize("options", OPTIONS)
def test_options_and_state_beside_optax(options: str, dtype) -> None:
    """A step differs from optax's in f32 by at most a rounding, and states have the same names."""
    start = jax.tree.map(lambda x: x.astype(dtype), tree())
    rate = optax.linear_schedule(0.1, 0.0, 8)
    ours, theirs = (f(rate, **OPTIONS[options]) for f in (adamw, optax.adamw))
    mine, found = ours.init(start), start
    wide = jax.tree.map(lambda x: x.astype(jnp.float32), start)
    other = theirs.init(wide)
    names = lambda state: [
        jax.tree_util.keystr(k) for k, _ in jax.tree.leaves_with_path(state)
    ]  # noqa: E731
    assert names(mine) == names(other)
    alike = theirs.init(start)
    assert [x.dtype for x in jax.tree.leaves(mine)] == [x.dtype for x in jax.tree.leaves(alike)]
    step = jax.jit(ours.update)
    for n in range(4):
        gradients = grads(n, start)
        updates, mine = step(gradients, mine, found)
        found = optax.apply_updates(found, updates)
        gradients = jax.tree.map(lambda x: x.astype(jnp.float32), gradients)
        updates, other = theirs.update(gradients, other, wide)
        wide = optax.apply_updates(wide, updates)
    assert names(mine) == names(other)
    bound = 2e-5 if dtype == jnp.float32 and options != "moments of bf16" else 0.03
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wide), strict=True):
        np.testing.assert_allclose(np.float32(a), b, rtol=bound, atol=bound)
    assert int(mine[0].count) == 4 and int(optax.tree.get(mine[2], "count")) == 4


def kernels(function, *args) -> int:
    return jax.jit(function).lower(*args).as_text().count("adamw_")


def test_hyperparameters_are_injected() -> None:
    params, gradients = tree(), grads(0, tree())
    static = ("b1", "b2", "eps", "eps_root", "weight_decay")
    wanted = optax.adamw(1e-2).update(gradients, optax.adamw(1e-2).init(params), params)[0]
    for kept in ((), static):
        optimizer = optax.inject_hyperparams(adamw, static_args=kept)(learning_rate=1e-3)
        state = optimizer.init(params)
        state.hyperparams["learning_rate"] = jnp.float32(1e-2)
        updates, _ = optimizer.update(gradients, state, params)
        for a, b in zip(jax.tree.leaves(updates), jax.tree.leaves(wanted), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
        assert (kernels(optimizer.update, gradients, state, params) > 0) == (kept is static)


def test_a_step_is_differentiated_and_mapped() -> None:
    """A step can be differentiated and mapped, with and without the kernel and updated inputs."""
    params = {"a": jnp.arange(1.0, 4.0)}

    def loss(make, rate, decay, slope):
        optimizer, params_ = make(rate, weight_decay=decay), params
        state = optimizer.init(params_)
        for n in range(2):
            gradients = jax.tree.map(lambda p: jnp.sin(p * slope + n), params_)
            updates, state = optimizer.update(gradients, state, params_)
            params_ = jax.tree.map(jnp.add, params_, updates)
        return jnp.sum(params_["a"] ** 2)

    for decay in (0.1, jnp.float32(0.1)):
        mine, theirs = (
            jax.jit(jax.vmap(jax.grad(lambda r, s, f=f: loss(f, r, decay, s), (0, 1)), (0, None)))
            for f in (adamw, optax.adamw)
        )
        rates = jnp.array([0.1, 0.2, 0.3])
        for a, b in zip(mine(rates, 0.7), theirs(rates, 0.7)):
            np.testing.assert_allclose(a, b, rtol=2e-3, atol=1e-4)
