"""Check the arguments of a call. The error messages use the names in the spec."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.kinds import Unfit, kind_of, scalar_dtype
from .arrays import NAMES, narrowed
from .attributes import hashable
from .call import is_spec
from .dtypes import DTYPES
from .kernel import Kernel
from .seeds import seeded

ARRAYS = (jax.Array, np.ndarray, np.generic)


def check(
    kernel: Kernel, /, *inputs: Any, wanted: Collection[str] = (), **attrs: Any
) -> tuple[Any, ...]:
    """Check the inputs of a call and return them as arrays.

    Raises TypeError for a wrong dtype, rank or kind, and ValueError for a wrong size or value.
    """
    inputs = arrays(kernel, inputs)
    if kernel.core.sized_by:
        attrs = kernel.complete(inputs, attrs)
    results = kernel.infer(inputs, attrs, wanted)
    if jax.config.jax_enable_x64:  # type: ignore[attr-defined]  # JAX adds its options later
        return inputs
    for name, result in zip(results._fields, results):
        for spec in jax.tree.leaves(result, is_leaf=is_spec):
            if spec.dtype in ("f64", "c128"):
                raise TypeError(
                    f"{kernel.core.name}: {name}: JAX has {spec.dtype} only where "
                    "`jax_enable_x64` is set"
                )
    return inputs


def again(kernel: Kernel, function: Callable[..., Any], /, *inputs: Any, **attrs: Any) -> Any:
    """Handle an error that a call of the jitted `function` raised.

    If `jax.jit` did not recognise an argument as an array, convert it and call again. Otherwise
    check the arguments, to raise an error that names the op and the argument. If the checks find no
    mistake, raise JAX's own error.
    """
    leaves = jax.tree.leaves(inputs, is_leaf=_is_wrapped)
    changed = any(map(_is_wrapped, leaves))
    given = [jax.tree.map(_unwrapped, x, is_leaf=_is_wrapped) for x in inputs]
    for position, each in enumerate(kernel.facts.inputs):
        if each.number and isinstance(given[position], np.generic):
            given[position], changed = given[position].item(), True
    try:
        check(kernel, *given, **attrs)
    except (TypeError, ValueError) as error:
        raise error.with_traceback(None) from None
    if not changed:
        raise
    return function(*given, *map(hashable, attrs.values()))


def arrays(kernel: Kernel, inputs: Sequence[Any]) -> tuple[Any, ...]:
    """Return a call's inputs. Python numbers, and objects that hold arrays, are converted to
    arrays.

    Other values are unchanged, and `infer` rejects them.
    """
    found = [_array(value) for value in seeded(kernel, inputs)]
    for position, each in enumerate(kernel.facts.inputs):
        if each.number:
            dtypes = [_dtype_of(found[n]) if isinstance(n, int) else n for n in each.number]
            found[position] = _number(found[position], scalar_dtype(*dtypes))
    return tuple(found)


def _array(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_array(each) for each in value]
    if isinstance(value, jax.ShapeDtypeStruct):
        return Unfit("a jax.ShapeDtypeStruct: `jax.eval_shape` traces a call with one")
    try:
        number = isinstance(value, bool | int | float | complex)
        found = jnp.asarray(value) if number or _is_wrapped(value) else value
    except OverflowError:
        return value
    # Some values have an array's attributes but no data that JAX can read, such as NumPy's types.
    looks = hasattr(found, "dtype") and not isinstance(found, ARRAYS)
    return Unfit(kind_of(found)) if looks else found


def _is_wrapped(value: Any) -> bool:
    """Return whether an object wraps an array, as weights of some neural network libraries do."""
    return hasattr(value, "__jax_array__")


def _unwrapped(value: Any) -> Any:
    return jnp.asarray(value) if _is_wrapped(value) else value


def _dtype_of(value: Any) -> str | None:
    """Return the spec's name for the dtype of an array, or of the first array in a list."""
    first = value[0] if isinstance(value, list) and value else value
    return NAMES.get(getattr(first, "dtype", None))


def _number(x: Any, name: str | None) -> Any:
    """Convert a Python number for a scalar input to dtype `name`. Return any other `x` unchanged.

    A number is also unchanged if the conversion would drop its fraction or its imaginary part.
    """
    if not hasattr(x, "dtype") or x.ndim or not getattr(jax.typeof(x), "weak_type", False):
        return x
    dtype = DTYPES[narrowed(name)] if name else x.dtype
    kinds = (jnp.integer, jnp.floating, jnp.complexfloating)
    kind = next(i for i, kind in enumerate(kinds) if jnp.issubdtype(x.dtype, kind))
    fits = any(jnp.issubdtype(dtype, each) for each in kinds[kind:])
    return jax.lax.convert_element_type(x, dtype) if fits else x


def sizes(kernel: Kernel, names: Sequence[str], /, *inputs: Any, **attrs: Any) -> tuple[int, ...]:
    """Return the attrs `names` of a call, with defaults that the spec computes from sizes."""
    found = kernel.complete(inputs, attrs)
    return tuple(found[name] for name in names)
