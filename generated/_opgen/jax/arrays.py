"""Properties of JAX arrays that kernels need: dtype names, 64-bit integers, manual mesh axes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import jax
from jax.sharding import ManualAxisType, NamedSharding, PartitionSpec

from ..core.runtime import TensorSpec
from .dtypes import DTYPES

NAMES: dict[object, str] = {dtype: name for name, dtype in DTYPES.items()}
# The types that JAX uses in place of 64-bit integers unless `jax_enable_x64` is set.
NARROWED = {"i64": "i32", "u64": "u32"}


def narrowed(dtype: str) -> str:
    """Return JAX's dtype for `dtype`: a narrower integer if 64-bit types are off."""
    # JAX adds its options to `config` at run time.
    wide: bool = jax.config.jax_enable_x64  # type: ignore[attr-defined]
    return dtype if wide else NARROWED.get(dtype, dtype)


def spec_of(value: Any, wide: str | None = None) -> Any:
    """Return the shape and dtype of an array, or of each array in a list. Other values are
    unchanged.

    `wide` is the 64-bit integer type that a kernel requires, if any. An array that has the narrower
    type only because 64-bit types are off counts as `wide`.
    """
    if isinstance(value, list | tuple):
        return [spec_of(each, wide) for each in value]
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        return value
    dtype = NAMES.get(value.dtype, str(value.dtype))
    if wide and dtype == narrowed(wide):
        dtype = wide
    return TensorSpec(tuple(value.shape), dtype)


@contextlib.contextmanager
def numpy_promotion() -> Iterator[None]:
    """Return a context with JAX's standard promotion of ranks and dtypes, which references require.

    The user's settings do not apply inside the context.
    """
    with jax.numpy_rank_promotion("allow"), jax.numpy_dtype_promotion("standard"):
        yield


def varying_axes(x: Any) -> frozenset[str]:
    """Return the manual mesh axes (of an enclosing `shard_map`) over which `x` varies."""
    return frozenset(jax.typeof(x).manual_axis_type.varying)


def manual_type(varying: frozenset[str]) -> dict[str, Any]:
    """Return the keyword arguments for the type of a result that varies over the axes `varying`."""
    if not varying:
        return {}
    mesh = jax.sharding.get_abstract_mesh()
    return {
        "manual_axis_type": ManualAxisType(varying=varying),
        "sharding": NamedSharding(mesh, PartitionSpec()),
    }


def vary(x: jax.Array, axes: frozenset[str]) -> jax.Array:
    """Return `x`, marked as varying over all of `axes`."""
    missing = tuple(sorted(axes - varying_axes(x)))
    return jax.lax.pcast(x, missing, to="varying") if missing else x


def vary_only(x: jax.Array, axes: frozenset[str]) -> jax.Array:
    """Return `x`, marked as varying over exactly the manual axes `axes`.

    If `x` varies over further axes, all shards along these axes must hold the same values.
    """
    surplus = tuple(sorted(varying_axes(x) - axes))
    return vary(jax.lax.pmax(x, surplus) if surplus else x, axes)


def numel(x: Any) -> Any:
    """Return the number of elements of an array, or of a list of arrays."""
    return sum(each.size for each in x) if isinstance(x, list | tuple) else x.size
