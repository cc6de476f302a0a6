"""The checks of a call, in the op's own words. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


def number(x: Any, *of: Any) -> Any:
    """A Python number for a scalar input, in the dtype that it must have; else `x` itself.

    That is the first dtype of `of`: a dtype's name, or arrays. A fraction does not become an
    integer.
    """
    x = _traced(x)
    if not hasattr(x, "dtype") or not getattr(jax.typeof(x), "weak_type", False):
        return x
    names = (DTYPES[narrowed(each)] for each in of if isinstance(each, str))
    arrays = (a.dtype for a in jax.tree.leaves(of) if hasattr(a, "dtype"))
    dtype, *_ = *names, *arrays, x.dtype
    fraction = jnp.issubdtype(x.dtype, jnp.inexact)
    if x.ndim or fraction and not jnp.issubdtype(dtype, jnp.inexact):
        return x
    return jax.lax.convert_element_type(x, dtype)


def sizes(kernel: Kernel, names: Sequence[str], *inputs: Any, **attrs: Any) -> tuple[int, ...]:  # fmt: skip
    """The sizes `names` of a call, which functions of the spec compute while JAX traces."""
    found = kernel.complete(inputs, attrs)
    return tuple(found[name] for name in names)


def zeros(kernel: Kernel, result: str, *inputs: Any, **attrs: Any) -> jax.Array:
    """Zeros of the shape and dtype that a result of this call has."""
    spec = getattr(kernel.infer(inputs, attrs, kernel.on_request), result)
    return jnp.zeros(spec.shape, DTYPES[narrowed(spec.dtype)])
