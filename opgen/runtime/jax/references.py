"""The references of ops: functions of `reference/`, and gradients of such functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ..core.references import reference_of
from .arrays import narrowed, on_auto_axes
from .dtypes import DTYPES
from .gradients import conjugate, pullback
from .kernel import kernel_of


class Namespace:
    """The namespace of references: `jax.numpy`, and functions that the array API lacks."""

    erf, erfc = staticmethod(lax.erf), staticmethod(lax.erfc)

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)


xp = Namespace()


def reference(op: str, *, completes: bool = False) -> Callable[..., tuple[Any, ...]]:
    """Return the reference of an op, a function that returns a tuple. The first call imports it.

    If a backward op has no own reference, this is autodiff of the forward's reference. It
    does not read the forward's outputs and residuals. They depend on the forward's inputs, so
    autodiff of the reference includes their gradients. `completes` means that attrs have defaults
    that depend on sizes.
    """

    def call(xp: Any, /, *inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        found, kernel = reference_of(op), kernel_of(op)
        inputs = on_auto_axes(inputs)
        if completes:
            attrs = kernel.complete(inputs, attrs)
        if not found.gradients:
            return found(xp, *inputs, **attrs)
        given = dict(zip(kernel.arguments, inputs))

        def zeros(result: int) -> jax.Array:
            spec = kernel.infer(inputs, attrs, kernel.on_request)[result]
            return jnp.zeros(spec.shape, DTYPES[narrowed(spec.dtype)])

        return tuple(found.differentiate(xp, given, attrs, zeros, pull_back))

    return call


def pull_back(function: Callable[..., Any], xs: Sequence[Any], dys: Sequence[Any]) -> Any:
    """Return the gradients of a reference, with complex gradients in the convention of backward
    ops.
    """
    return conjugate(pullback(function, xs, conjugate(tuple(dys))))
