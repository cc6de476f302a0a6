"""The optimizer `sgd` for JAX. It has functions `init` and `update`, as in optax. The op
`momentum_` computes each step.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from . import momentum_

__all__ = ["sgd"]


class State(NamedTuple):
    count: jax.Array
    trace: object


class Optimizer(NamedTuple):
    init: object
    update: object
    step: object


def sgd(learning_rate, momentum=0.9):
    """Return an optimizer for gradient descent with momentum. `learning_rate` is a number, or a
    function of the number of steps.
    """

    def init(params):
        return State(jnp.zeros((), jnp.int32), jax.tree.map(jnp.zeros_like, params))

    def step(params, grads, state):
        rate = learning_rate(state.count) if callable(learning_rate) else learning_rate
        leaves, tree = jax.tree.flatten(params)
        lists = (tree.flatten_up_to(each) for each in (grads, state.trace))
        new, trace = momentum_(leaves, *lists, jnp.float32(rate), momentum=momentum)
        return tree.unflatten(new), State(state.count + 1, tree.unflatten(trace))

    def update(grads, state, params):
        new, after = step(params, grads, state)
        return jax.tree.map(jnp.subtract, new, params), after

    return Optimizer(init, update, step)
