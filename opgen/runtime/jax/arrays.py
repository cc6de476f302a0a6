"""Properties of JAX arrays that kernels need: dtype names, 64-bit integers, manual mesh axes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import jax
from jax.sharding import AbstractMesh, AxisType, ManualAxisType, NamedSharding, PartitionSpec

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


def explicit_mesh(arrays: Any) -> AbstractMesh | None:
    """Return the mesh of the first array that is on a mesh with explicit axes."""
    meshes = (jax.typeof(x).sharding.mesh for x in jax.tree.leaves(arrays))
    return next((mesh for mesh in meshes if mesh.explicit_axes), None)


def auto_axes(arrays: Any) -> contextlib.AbstractContextManager[Any]:
    """Return a context in which the explicit axes of the arrays' mesh are auto axes.

    JAX cannot run plain code on every split over explicit axes. Over auto axes it can.
    """
    mesh = explicit_mesh(arrays)
    if mesh is None:
        return contextlib.nullcontext()
    auto = mesh.update_axis_types(dict.fromkeys(mesh.explicit_axes, AxisType.Auto))
    context: contextlib.AbstractContextManager[Any] = jax.sharding.use_abstract_mesh(auto)
    return context


def on_auto_axes(inputs: Any) -> Any:
    """Return the inputs of plain code, as arrays that fit into a context of `auto_axes`."""
    mesh = jax.sharding.get_abstract_mesh()
    arrays = [x for x in jax.tree.leaves(inputs) if isinstance(x, jax.Array)]
    if mesh.explicit_axes or not mesh.auto_axes or explicit_mesh(arrays) is None:
        return inputs

    def auto(x: Any) -> Any:
        unsplit = NamedSharding(mesh, PartitionSpec())
        return jax.sharding.reshard(x, unsplit) if isinstance(x, jax.Array) else x

    return jax.tree.map(auto, inputs)


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
