"""Find the gradients that a differentiation rule must compute, and the cotangents that are not
zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import CustomVJPPrimal, SymbolicZero

from .arrays import vary
from .gradients import TypeOf


@jax.tree_util.register_static
@dataclass(frozen=True)
class Needed:
    """The names of the inputs whose gradients a call needs."""

    names: frozenset[str]

    def any(self, *names: str) -> bool:
        """Return whether the gradient of one of these inputs is needed."""
        return not self.names.isdisjoint(names)

    def results(self, /, **gradients: str) -> tuple[str, ...]:
        """Return the results of a backward that are needed. `gradients` maps each result to its
        input.
        """
        return tuple(result for result, name in gradients.items() if self.any(name))


def needed(**inputs: Any) -> Needed:
    """Return the inputs whose gradients are needed.

    The arguments are those of a `custom_vjp` rule with symbolic zeros.
    """
    leaves = {name: jax.tree.leaves(x, is_leaf=_is_primal) for name, x in inputs.items()}
    return Needed(frozenset(n for n, xs in leaves.items() if any(x.perturbed for x in xs)))


def values(*inputs: Any) -> tuple[Any, ...]:
    """Return the values of these inputs of a rule: an array, a list of arrays, or None for each."""
    found: tuple[Any, ...] = jax.tree.map(lambda x: x.value, inputs, is_leaf=_is_primal)
    return found


def or_zeros(cotangent: Any, like: Any = None) -> Any:
    """Return a cotangent as an array. A missing cotangent becomes zeros of type `like`."""
    if cotangent is None:
        return jax.tree.map(lambda x: jnp.zeros(x.shape, x.aval.dtype), like, is_leaf=_is_type)
    return jax.tree.map(_instantiated, cotangent, is_leaf=_is_zero)


def or_none(cotangent: Any) -> Any:
    """Return a cotangent as an array, or None if it is a symbolic zero."""
    if all(map(_is_zero, jax.tree.leaves(cotangent, is_leaf=_is_zero))):
        return None
    return or_zeros(cotangent)


def _is_primal(x: Any) -> bool:
    return isinstance(x, CustomVJPPrimal)


def _is_type(x: Any) -> bool:
    return isinstance(x, TypeOf)


def _is_zero(x: Any) -> bool:
    return isinstance(x, SymbolicZero)


def _instantiated(x: Any) -> Any:
    """Return a cotangent as an array that varies over the same manual axes as its result."""
    if not _is_zero(x):
        return x
    zeros = jnp.zeros(x.shape, x.dtype)
    return vary(zeros, frozenset(x.aval.manual_axis_type.varying))
