"""`adamw` for JAX: like `optax.adamw`, but the op `adamw_` computes each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike, DTypeLike

from . import adamw_

__all__ = ["adamw"]

Tree = Any
Schedule = Callable[[Any], ArrayLike]


class ScaleByAdamState(NamedTuple):
    """The number of steps and the moments. The fields are those of optax."""

    count: jax.Array  # type: ignore[assignment]  # tuples have a method of that name
    mu: Tree
    nu: Tree


class ScaleByAmsgradState(NamedTuple):
    """The number of steps and the moments with `amsgrad`."""

    count: jax.Array  # type: ignore[assignment]
    mu: Tree
    nu: Tree
    nu_max: Tree


class EmptyState(NamedTuple):
    """The state of a part of the optimizer that keeps nothing."""


class MaskedState(NamedTuple):
    """The state of a part of the optimizer that has a mask."""

    inner_state: Any


class WeightDecaySchedule(NamedTuple):
    """The state of a weight decay that is a schedule."""

    count: jax.Array  # type: ignore[assignment]


class ScaleByScheduleState(NamedTuple):
    """The state of a learning rate that is a schedule."""

    count: jax.Array  # type: ignore[assignment]


class _Transformation(NamedTuple):
    init: Callable[[Tree], Tree]
    update: Callable[..., tuple[Tree, Tree]]


class Optimizer(_Transformation):
    """The functions `init` and `update`, as in optax, and `step(params, grads, state)`.

    `step` returns the next parameters and the next state. Under `jax.jit(optimizer.step,
    donate_argnums=(0, 2))` both are updated in place. `update` needs the old parameters until the
    end, so it writes new arrays.
    """

    step: Callable[[Tree, Tree, Tree], tuple[Tree, Tree]]


def adamw(
    learning_rate: ArrayLike | Schedule,
    b1: ArrayLike = 0.9,
    b2: ArrayLike = 0.999,
    eps: ArrayLike = 1e-8,
    eps_root: ArrayLike = 0.0,
    mu_dtype: DTypeLike | None = None,
    weight_decay: ArrayLike | Schedule = 1e-4,
    mask: Tree | Callable[[Tree], Tree] | None = None,
    *,
    nesterov: bool = False,
    amsgrad: bool = False,
    maximize: bool = False,
) -> Optimizer:
    """Return AdamW, with the arguments and the state of `optax.adamw`.

    The kernel computes a step if all options except the learning rate are Python numbers. Also,
    `eps_root` must be 0, `nesterov` must be off, and both moments must have the same dtype. In all
    other cases, and for derivatives, `jax.numpy` computes the same values. Moments of float16
    parameters are float32.

    Args:
        learning_rate: A number, an array, or a function of the number of steps so far.
        b1: Decay of the first moment.
        b2: Decay of the second moment.
        eps: Added to the square root of the second moment.
        eps_root: Added to the second moment.
        mu_dtype: Dtype of the first moment. By default, that of the second.
        weight_decay: A number, an array, or a function of the number of steps so far.
        mask: A tree like the parameters, a prefix of such a tree, or a function that returns
            one from the parameters. Parameters with True decay.
        nesterov: If True, use Nesterov momentum.
        amsgrad: If True, use the largest second moment so far.
        maximize: If True, maximize the objective.
    """
    options = _Options(b1, b2, eps, eps_root, nesterov, amsgrad, maximize)

    def init(params: Tree) -> Tree:
        nu = jax.tree.map(lambda p: jnp.zeros_like(p, dtype=_state(p)), params)
        mu = jax.tree.map(lambda v: jnp.zeros_like(v, dtype=mu_dtype), nu)
        count = jnp.zeros((), jnp.int32)
        moments: Any = ScaleByAdamState(count, mu, nu)
        if amsgrad:
            moments = ScaleByAmsgradState(count, mu, nu, jax.tree.map(jnp.zeros_like, nu))
        decay: Any = WeightDecaySchedule(count) if callable(weight_decay) else EmptyState()
        rate = ScaleByScheduleState(count) if callable(learning_rate) else EmptyState()
        return moments, decay if mask is None else MaskedState(decay), rate

    def step(params: Tree, grads: Tree, state: Tree) -> tuple[Tree, Tree]:
        moments, decay, rate = state
        tree: Any
        leaves, tree = jax.tree.flatten(params)
        try:
            slopes = tree.flatten_up_to(grads)
        except ValueError as error:
            message = f"adamw: grads: expected a tree like that of params: {error}"
            raise ValueError(message) from None
        lists = [tree.flatten_up_to(each) for each in moments[1:]]
        decays = _decays(params, tree, mask)
        lr, wd = (f(moments.count) if callable(f) else f for f in (learning_rate, weight_decay))
        found = _steps(options, moments.count, lr, wd, decays, [leaves, slopes, *lists])
        new, *after = map(tree.unflatten, found)
        count = _next(moments.count)
        counted = lambda part: jax.tree.map(_next, part)  # noqa: E731
        return new, (type(moments)(count, *after), counted(decay), counted(rate))

    def update(grads: Tree, state: Tree, params: Tree = None, **_: Any) -> tuple[Tree, Tree]:
        if params is None:
            raise ValueError("adamw: params: expected those that are updated, got None")
        new, after = step(params, grads, state)
        return jax.tree.map(_difference, new, params), after

    made = Optimizer(init, update)
    made.step = step
    return made


class _Options(NamedTuple):
    b1: Any
    b2: Any
    eps: Any
    eps_root: Any
    nesterov: bool
    amsgrad: bool
    maximize: bool


def _steps(
    options: _Options,
    count: jax.Array,
    rate: Any,
    decay: Any,
    decays: list[bool],
    lists: list[list[Any]],
) -> list[list[Any]]:
    """Return the parameters and the moments after a step. One call computes all parameters that it
    can.
    """
    groups: dict[Any, list[int]] = {}
    for place, each in enumerate(zip(*lists)):
        kind = decays[place], tuple(map(jnp.result_type, each))
        groups.setdefault(kind, []).append(place)
    found: list[list[Any]] = [[None] * len(lists[0]) for _ in (lists[0], *lists[2:])]
    for (decaying, dtypes), places in groups.items():
        rows = [[of[place] for place in places] for of in lists]
        own = decay if decaying else 0.0
        wide = jnp.promote_types(dtypes[0], jnp.float32)
        if dtypes[1] not in (dtypes[0], jnp.float32):
            rows[1] = [g.astype(wide) for g in rows[1]]
        given = jnp.asarray(rate, wide).reshape(()), rows
        if _by_kernel(options, own, dtypes):
            made = _differentiable(options, own)(count, *given)
        else:
            made = _plain(options, own, count, *given)
        for of, values in zip(found, made):
            for place, value in zip(places, values):
                of[place] = value
    return found


def _by_kernel(options: _Options, decay: Any, dtypes: tuple[Any, ...]) -> bool:
    """Return whether the op can compute the step."""
    numbers = (*options[:4], decay)
    plain = all(isinstance(x, int | float) for x in numbers)
    return plain and options.eps_root == 0 and not options.nesterov and dtypes[2] == dtypes[3]


def _differentiable(options: _Options, decay: float) -> Any:
    """Return the step by the op, with the derivatives of `_plain`."""

    @jax.custom_jvp
    def step(count: jax.Array, rate: jax.Array, rows: list[list[Any]]) -> Any:
        params, grads, mu, nu, *more = rows
        params, mu, nu, _, largest = adamw_(
            params,
            grads,
            mu,
            nu,
            count.astype(jnp.float32),
            rate,
            *more,
            beta1=options.b1,
            beta2=options.b2,
            eps=options.eps,
            weight_decay=decay,
            amsgrad=options.amsgrad,
            maximize=options.maximize,
        )
        return [params, mu, nu] + ([largest] if more else [])

    @step.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        plain = lambda *given: _plain(options, decay, *given)  # noqa: E731
        return step(*primals), jax.jvp(plain, primals, tangents)[1]

    return step


def _plain(
    options: _Options, decay: Any, count: jax.Array, rate: jax.Array, rows: list[list[Any]]
) -> list[list[Any]]:
    """Return the step in `jax.numpy`, in f32 or wider."""
    b1, b2, eps, eps_root, nesterov, amsgrad, maximize = options
    found = []
    for p, g, m, v, *more in zip(*rows):
        wide = jnp.promote_types(p.dtype, jnp.float32)
        pw, gw, mw, vw = (x.astype(wide) for x in (p, g, m, v))
        gw = -gw if maximize else gw
        mw, vw = b1 * mw + (1 - b1) * gw, b2 * vw + (1 - b2) * gw * gw
        steps = count.astype(wide) + 1
        ahead = mw / _correction(b1, steps)
        if nesterov:
            ahead = b1 * mw / _correction(b1, steps + 1) + (1 - b1) * gw / _correction(b1, steps)
        largest = [jnp.maximum(each.astype(wide), vw) for each in more]
        uw = largest[0] if amsgrad else vw
        change = ahead / (_root(uw / _correction(b2, steps) + eps_root) + eps)
        pw = pw - rate * (change + decay * pw)
        made = [pw, mw, vw, *largest]
        found.append([x.astype(like.dtype) for x, like in zip(made, (p, m, v, *more))])
    return [list(each) for each in zip(*found)]


def _correction(beta: Any, steps: jax.Array) -> jax.Array:
    """Return `1 - beta**steps`, without the cancellation that f32 would have."""
    return -jnp.expm1(steps * jnp.log(jnp.asarray(beta, steps.dtype)))


def _root(x: jax.Array) -> jax.Array:
    """Return the square root. Its derivative at 0 is defined as 0."""
    positive = x > 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, x, 1)), jnp.where(x == 0, 0, jnp.nan))


def _decays(params: Tree, tree: Any, mask: Any) -> list[bool]:
    """Return, for each parameter, whether it decays."""
    if mask is None:
        return [True] * tree.num_leaves
    given = mask(params) if callable(mask) else mask
    every = jax.tree.map(lambda own, part: jax.tree.map(lambda _: own, part), given, params)
    return [bool(each) for each in jax.tree.leaves(every)]


def _state(p: Any) -> Any:
    """Return the dtype of the moments of a parameter."""
    dtype = jnp.result_type(p)
    return jnp.float32 if dtype == jnp.float16 else dtype


def _next(count: jax.Array) -> jax.Array:
    return jnp.where(count < jnp.iinfo(count.dtype).max, count + 1, count)


def _difference(after: jax.Array, before: jax.Array) -> jax.Array:
    """Return the update, in f32 or wider, because 16 bits would round it."""
    wide = jnp.promote_types(after.dtype, jnp.float32)
    return after.astype(wide) - jnp.asarray(before, wide)
