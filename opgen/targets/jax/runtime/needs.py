"""Which gradients are needed, and which cotangents are there. Rendered by opgen.

For what `jax.custom_vjp` gives a rule where zeros are symbolic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import CustomVJPPrimal, SymbolicZero

from .arrays import vary


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Needed:
    """The inputs of a call, of `names`, by which it is differentiated.

    They are kept as the shape of an array without elements: what is static in the residuals
    of `jax.custom_vjp` is remembered for the last trace only, while one that is traced for
    other inputs may be transposed later.
    """

    bits: jax.Array
    names: tuple[str, ...] = field(metadata={"static": True})

    def any(self, *names: str) -> bool:
        """Whether the gradient of one of these inputs is needed."""
        return any(self.bits.shape[0] >> self.names.index(name) & 1 for name in names)

    def results(self, /, **gradients: str) -> tuple[str, ...]:
        """Those results of a backward, each the gradient of an input, that are needed."""
        return tuple(result for result, name in gradients.items() if self.any(name))


def needed(**inputs: Any) -> Needed:
    """What `jax.custom_vjp` says of its inputs where zeros are symbolic."""
    bits = 0
    for position, x in enumerate(inputs.values()):
        leaves = jax.tree.leaves(x, is_leaf=_is_primal)
        bits |= any(leaf.perturbed for leaf in leaves) << position
    return Needed(jnp.zeros((bits, 0)), tuple(inputs))


def values(*inputs: Any) -> tuple[Any, ...]:
    """The inputs themselves, each an array, a list of arrays, or None."""
    found: tuple[Any, ...] = jax.tree.map(lambda x: x.value, inputs, is_leaf=_is_primal)
    return found


def or_zeros(cotangent: Any, like: Any = None) -> Any:
    """A cotangent as an array; as zeros where there is none of a result with type `like`."""
    if cotangent is None:
        return jax.tree.map(lambda x: jnp.zeros(x.shape, x.aval.dtype), like)
    return jax.tree.map(_instantiated, cotangent, is_leaf=_is_zero)


def or_none(cotangent: Any) -> Any:
    """A cotangent as an array; None where nothing depends on the result."""
    if all(map(_is_zero, jax.tree.leaves(cotangent, is_leaf=_is_zero))):
        return None
    return or_zeros(cotangent)


def _is_primal(x: Any) -> bool:
    return isinstance(x, CustomVJPPrimal)


def _is_zero(x: Any) -> bool:
    return isinstance(x, SymbolicZero)


def _instantiated(x: Any) -> Any:
    """As varying over manual axes as the result that it is a cotangent of."""
    if not _is_zero(x):
        return x
    zeros = jnp.zeros(x.shape, x.dtype)
    return vary(zeros, frozenset(x.aval.manual_axis_type.varying))
