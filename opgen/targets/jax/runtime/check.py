"""The checks of a call, in the op's own words. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .arrays import narrowed
from .call import is_spec
from .dtypes import DTYPES
from .kernel import Kernel


def check(
    kernel: Kernel, *inputs: Any, wanted: Collection[str] = (), **attrs: Any
) -> None:
    """Refuse a call that the spec does not allow, or that JAX has no dtypes for.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    results = kernel.infer(inputs, attrs, wanted)
    if jax.config.jax_enable_x64:
        return
    for name, result in zip(results._fields, results):
        for spec in jax.tree.leaves(result, is_leaf=is_spec):
            if spec.dtype in ("f64", "c128"):
                raise TypeError(
                    f"{kernel.core.name}: {name}: JAX has {spec.dtype} only where "
                    "`jax_enable_x64` is set"
                )


def explain(kernel: Kernel, *inputs: Any, **attrs: Any) -> None:
    """Check again a call that failed: what JAX says of it rarely names op and argument."""
    try:
        for name, value in attrs.items():
            if isinstance(value, jax.Array | np.ndarray):
                raise TypeError(
                    f"{kernel.core.name}: {name}: expected a Python value, which JAX "
                    "compiles for, got an array"
                )
        check(kernel, *map(_traced, inputs), **attrs)
    except (TypeError, ValueError) as error:
        raise error.with_traceback(None) from None


def _traced(value: Any) -> Any:
    """A Python number as the array that `jax.jit` makes of it."""
    return jnp.asarray(value) if isinstance(value, bool | int | float) else value


def zeros(kernel: Kernel, result: str, *inputs: Any, **attrs: Any) -> jax.Array:
    """Zeros of the shape and dtype that a result of this call has."""
    spec = getattr(kernel.infer(inputs, attrs, kernel.on_request), result)
    return jnp.zeros(spec.shape, DTYPES[narrowed(spec.dtype)])
