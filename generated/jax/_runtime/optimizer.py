"""The optimizers that are made of ops. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .arrays import NAMES
from .dtypes import DTYPES

Tree = Any
# A dtype by its name, or where it is not the dtype of a parameter, by the name of that.
Dtypes = str | Mapping[str, str]


class GradientTransformation(NamedTuple):
    """What optax calls so: a pair of functions.

    `init(params)` gives the state that an optimizer starts with, `update(grads, state,
    params)` what is to be added to the parameters, and the next state.
    """

    init: Callable[[Tree], Tree]
    update: Callable[..., tuple[Tree, Tree]]


class Optimizer(GradientTransformation):
    """A transformation that has `step(params, grads, state)` as well.

    It gives the next parameters and the next state. Under `jax.jit(optimizer.step,
    donate_argnums=(0, 2))` both are updated in place; `update` needs the old parameters to
    the end, and so writes new ones. JAX pairs donated arrays with results in order: in a
    function of one's own, too, parameters and state are to come and go in the same order.
    """

    step: Callable[[Tree, Tree, Tree], tuple[Tree, Tree]]


def optimizer(
    name: str,
    init: Callable[[Tree], Any],
    call: Callable[[list[Any], list[Any], Any], tuple[list[Any], Any]],
    held: Sequence[str],
) -> Optimizer:
    """The optimizer of which `call` makes a step, for lists of arrays that agree in dtypes.

    The state is a named tuple with a `count` of the steps made; `held` names its fields
    that are trees like the parameters, and lists for `call`.
    """

    def step(params: Tree, grads: Tree, state: Any) -> tuple[Tree, Any]:
        flat: Any = jax.tree.flatten(params)
        leaves, tree = flat
        try:
            grads = tree.flatten_up_to(grads)
        except ValueError as error:
            message = f"{name}: grads: expected a tree like that of params: {error}"
            raise ValueError(message) from None
        trees = {n: getattr(state, n) for n in held if getattr(state, n) is not None}
        lists = {n: tree.flatten_up_to(of) for n, of in trees.items()}
        after = state
        for places in _batches(leaves, grads):
            given = {n: [of[i] for i in places] for n, of in lists.items()}
            found, after = call(
                [leaves[i] for i in places], [grads[i] for i in places], state._replace(**given)
            )
            for i, *values in zip(places, found, *(getattr(after, n) for n in lists)):
                leaves[i] = values[0]
                for own, value in zip(lists.values(), values[1:]):
                    own[i] = value
        trees = {n: tree.unflatten(of) for n, of in lists.items()}
        return tree.unflatten(leaves), after._replace(count=state.count + 1, **trees)

    def update(grads: Tree, state: Any, params: Tree = None) -> tuple[Tree, Any]:
        if params is None:
            raise ValueError(f"{name}: params: expected those that are updated, got None")
        found, after = step(params, grads, state)
        return jax.tree.map(_difference, found, params), after

    made = Optimizer(init, update)
    made.step = step
    return made


def filled(params: Tree, value: float, dtypes: Dtypes = {}) -> Tree:
    """A tree like `params` whose arrays hold `value`."""
    fill = lambda p: jnp.full_like(p, value, dtype=_dtype(p, dtypes))  # noqa: E731
    return jax.tree.map(fill, params)


def scheduled(option: Any, count: jax.Array, p: jax.Array, dtypes: Dtypes = {}) -> jax.Array:
    """An option as an op takes it: a scalar, of a number, an array, or of a schedule."""
    value = option(count) if callable(option) else option
    return jnp.asarray(value, _dtype(p, dtypes)).reshape(())


def _dtype(p: jax.Array, dtypes: Dtypes) -> jnp.dtype:
    """The dtype of state or an option, for parameter `p`."""
    own: jnp.dtype = jnp.result_type(p)
    if isinstance(dtypes, str):
        return DTYPES[dtypes]
    name = dtypes.get(NAMES.get(own, ""))
    return DTYPES[name] if name else own


def _batches(leaves: Sequence[Any], grads: Sequence[Any]) -> list[list[int]]:
    """The places of the parameters that one call takes."""
    batches: dict[Any, list[int]] = {}
    for place, pair in enumerate(zip(leaves, grads)):
        batches.setdefault(tuple(map(jnp.result_type, pair)), []).append(place)
    return [*batches.values()]


def _difference(after: jax.Array, before: jax.Array) -> jax.Array:
    """What is to be added, in at least f32: in 16 bits it would be rounded."""
    wide = jnp.promote_types(after.dtype, jnp.float32)
    return after.astype(wide) - jnp.asarray(before, wide)
