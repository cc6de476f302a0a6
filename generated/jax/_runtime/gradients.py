"""What gradients are made with. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from .arrays import NAMES, vary, varying_axes


@jax.tree_util.register_static
@dataclass(frozen=True)
class TypeOf:
    """The type of an input whose value a gradient does not read."""

    aval: Any

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape


def type_of(x: jax.Array) -> TypeOf:
    """What is kept of an input whose value a gradient does not read."""
    return TypeOf(jax.typeof(x))


def as_cotangent(value: jax.Array, primal: jax.Array | TypeOf) -> jax.Array:
    """`value` as a cotangent of `primal`: with its dtype, manual axes and sharding.

    A value that varies over a manual axis which the primal lacks is summed over it, before
    it is cast.
    """
    if value.dtype == jax.dtypes.float0:
        return value
    aval = primal.aval if isinstance(primal, TypeOf) else jax.typeof(primal)
    wanted = frozenset(aval.manual_axis_type.varying)
    if extra := tuple(sorted(varying_axes(value) - wanted)):
        value = jax.lax.psum(value, extra)
    value = vary(value, wanted).astype(aval.dtype)
    if aval.sharding.mesh.explicit_axes and jax.typeof(value).sharding != aval.sharding:
        value = jax.sharding.reshard(value, aval.sharding)
    return value


def pullback(
    function: Callable[..., Any],
    primals: Sequence[jax.Array],
    cotangents: Sequence[jax.Array | None],
) -> tuple[jax.Array, ...]:
    """The gradients of `function` at `primals`, by autodiff.

    `cotangents` belong to its first results; None stands for zeros. All primals are made to
    vary over the same manual axes, as a kernel's operands are: autodiff then gives each
    shard its own part of a gradient, as a kernel does.
    """

    def results_of(*primals):
        results = function(*primals)
        results = results if isinstance(results, tuple) else (results,)
        return results[: len(cotangents)]

    given = [c for c in cotangents if c is not None and c.dtype != jax.dtypes.float0]
    varying = frozenset().union(*map(varying_axes, (*primals, *given)))
    results, transpose = jax.vjp(results_of, *(vary(x, varying) for x in primals))
    return transpose(
        tuple(
            (
                jnp.zeros_like(result)
                if cotangent is None
                else as_cotangent(cotangent, result)
            )
            for cotangent, result in zip(cotangents, results)
        )
    )


def dtype_name(x: jax.Array | TypeOf) -> str:
    """The dtype of `x` as specs name it."""
    return NAMES[x.aval.dtype if isinstance(x, TypeOf) else x.dtype]
