"""Helper functions for the rendered gradients of ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from .arrays import NAMES, auto_axes, numpy_promotion, vary, varying_axes


@jax.tree_util.register_static
@dataclass(frozen=True)
class TypeOf:
    """The type of an input, used in place of the input by gradients that do not read its value."""

    aval: Any

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.aval.shape
        return shape


class Unread:
    """An object that replaces a residual while a reference is differentiated. It raises TypeError
    if the reference reads the residual.
    """

    def __init__(self, op: str, name: str, kept: TypeOf) -> None:
        self.shape, self.dtype, self.ndim = kept.shape, kept.aval.dtype, len(kept.shape)
        self.refusal = f"{op}: its reference reads {name}, a residual: a derivative would take that for a constant"

    def __getattr__(self, name: str) -> Any:
        raise TypeError(self.refusal)

    def __jax_array__(self) -> jax.Array:
        raise TypeError(self.refusal)


def unread(op: str, name: str, kept: TypeOf | None) -> Unread | None:
    """Return an `Unread` object to use in place of a residual. It has the shape and dtype of
    `kept`.
    """
    return None if kept is None else Unread(op, name, kept)


def type_of(x: Any) -> Any:
    """Return the type of an input whose value the gradient does not read; for a list, the type of
    each array.
    """
    return jax.tree.map(lambda array: TypeOf(jax.typeof(array)), x)


def aval_of(x: Any) -> Any:
    """Return JAX's description of an array: its shape, dtype and sharding."""
    return x.aval if isinstance(x, TypeOf) else jax.typeof(x)


def as_cotangent(value: Any, primal: Any) -> Any:
    """Convert `value` to a cotangent of `primal`: with the primal's dtype, manual axes and sharding.

    If the value varies over a manual axis that the primal lacks, it is summed over that axis, and
    then cast. The result is None if the primal is absent or the value was not computed. Lists are
    converted element by element.
    """
    if primal is None or value is None:
        return None
    if isinstance(primal, list | tuple):
        return [as_cotangent(v, p) for v, p in zip(value, primal)]
    if value.dtype == jax.dtypes.float0:
        return value
    aval = aval_of(primal)
    wanted = frozenset(aval.manual_axis_type.varying)
    if extra := tuple(sorted(varying_axes(value) - wanted)):
        value = jax.lax.psum(value, extra)
    value = vary(value, wanted).astype(aval.dtype)
    sharding, mesh = jax.typeof(value).sharding, aval.sharding.mesh
    typed = mesh.explicit_axes or (sharding.mesh.explicit_axes and not mesh.empty)
    if typed and sharding != aval.sharding:
        value = jax.sharding.reshard(value, aval.sharding)
    return value


def conjugate(tree: Any) -> Any:
    """Convert cotangents or gradients of complex arrays between JAX's and PyTorch's convention."""
    return jax.tree.map(lambda x: x.conj() if jnp.iscomplexobj(x) else x, tree)


def pullback(
    function: Callable[..., Any],
    primals: Sequence[jax.Array],
    cotangents: Sequence[jax.Array | None],
) -> tuple[jax.Array, ...]:
    """Return the gradients of `function` at `primals`, by autodiff.

    `cotangents` belong to the first results of `function`, and None stands for zeros. All primals
    are made to vary over the same manual axes, like the operands of a kernel. So each shard gets
    its own contribution to a gradient, as from a kernel.
    """

    def results_of(*primals: Any) -> Any:
        with numpy_promotion():
            results = function(*primals)
        results = results if isinstance(results, tuple) else (results,)
        return results[: len(cotangents)]

    arrays = (x for x in jax.tree.leaves((primals, cotangents)) if _varies(x))
    varying = frozenset().union(*map(varying_axes, arrays))
    primals = jax.tree.map(lambda x: vary(x, varying), tuple(primals))
    with auto_axes(primals):
        results, transpose = jax.vjp(results_of, *primals)
        found: tuple[jax.Array, ...] = transpose(tuple(map(_cotangent_of, results, cotangents)))
    return found


def _varies(x: jax.Array) -> bool:
    return x.dtype != jax.dtypes.float0


def _cotangent_of(result: Any, cotangent: Any) -> Any:
    """Return the cotangent of one result of a function; None stands for zeros."""
    if cotangent is None:
        return jax.tree.map(jnp.zeros_like, result)
    return as_cotangent(cotangent, result)


def dtype_name(x: jax.Array | TypeOf) -> str:
    """Return the name that specs use for the dtype of `x`."""
    return NAMES[aval_of(x).dtype]
