"""The reference functions of a spec, whose module is imported at the first call, and their gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ..core.project import reference as function_of
from ..core.references import reference_of
from .arrays import narrowed
from .dtypes import DTYPES
from .gradients import conjugate, pullback
from .kernel import kernel_of


class Namespace:
    """The namespace of references: `jax.numpy`, and functions that the array API lacks."""

    erf, erfc = staticmethod(lax.erf), staticmethod(lax.erfc)

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)


xp = Namespace()


class References:
    """The functions of `reference/<module>.py`. The first call imports the module."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def reference(*args: Any, **attrs: Any) -> Any:
            return function_of(self._module, name)(*args, **attrs)

        return reference


def gradient(op: str) -> Callable[..., tuple[Any, ...]]:
    """Return the reference of a backward op: autodiff of the forward's reference.

    It does not read the forward's outputs and residuals. They depend on the forward's inputs, so
    autodiff of the reference includes their gradients.
    """

    def call(xp: Any, /, *inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        kernel = kernel_of(op)
        given = dict(zip(kernel.arguments, inputs))

        def zeros(result: int) -> jax.Array:
            spec = kernel.infer(inputs, attrs, kernel.on_request)[result]
            return jnp.zeros(spec.shape, DTYPES[narrowed(spec.dtype)])

        return tuple(reference_of(op).differentiate(xp, given, attrs, zeros, pull_back))

    return call


def pull_back(function: Callable[..., Any], xs: Sequence[Any], dys: Sequence[Any]) -> Any:
    """Return the gradients of a reference, with complex gradients in the convention of backward
    ops.
    """
    return conjugate(pullback(function, xs, conjugate(tuple(dys))))
