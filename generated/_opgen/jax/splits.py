"""The split of an array over a mesh, and the bytes that move if the split changes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from jax.sharding import NamedSharding, PartitionSpec, Sharding

Split = tuple[tuple[str, ...], ...]  # the mesh axes that each dim is split over


def split_of(spec: PartitionSpec, rank: int) -> Split:
    """Return the mesh axes that split each dim. A dim that is left to the partitioner has none."""
    entries = [*spec, *([None] * (rank - len(spec)))]
    free = (None, PartitionSpec.UNCONSTRAINED)
    return tuple(
        () if any(e is f for f in free) else e if isinstance(e, tuple) else (e,) for e in entries
    )


def spec_of(split: Split) -> PartitionSpec:
    return PartitionSpec(*(axes or None for axes in split))


def specs_of(
    shardings: Sequence[Sharding | None], shapes: Sequence[tuple[int, ...]], mesh: Mapping[str, int]
) -> list[PartitionSpec]:
    """Return the `PartitionSpec` of each sharding. `mesh` maps axes to sizes."""
    return [_spec(s, shape, mesh) for s, shape in zip(shardings, shapes)]


def _spec(
    sharding: Sharding | None, shape: tuple[int, ...], mesh: Mapping[str, int]
) -> PartitionSpec:
    """Return the spec of a sharding. If the sharding does not name axes, derive it from the number
    of shards of each dim.

    Among axes of the same size, the first unused axis is selected. The choice does not matter for
    the shards' size, and the partitioner moves each shard to the device that needs it.
    """
    if isinstance(sharding, NamedSharding):
        return sharding.spec
    if sharding is None:  # GSPMD has no sharding for it yet
        return PartitionSpec()
    try:
        shard = sharding.shard_shape(shape)
    except ValueError:  # it is uneven
        return PartitionSpec()
    left = dict(mesh)
    entries = []
    for size, part in zip(shape, shard):
        count, axes = size // max(part, 1), []
        for axis, length in mesh.items():
            if axis in left and length > 1 and count % length == 0:
                count //= left.pop(axis)
                axes.append(axis)
        entries.append(tuple(axes) if count == 1 else ())
    return spec_of(tuple(entries))


def shards(axes: Sequence[str], mesh: Mapping[str, int]) -> int:
    """Return the number of shards over these axes."""
    return math.prod(mesh[axis] for axis in axes)


def bytes_between(total: int, before: Split, after: Split, mesh: Mapping[str, int]) -> int:
    """Return the bytes that each device receives if an array's split changes from `before` to
    `after`.

    `total` is the size of the array in bytes. If an axis no longer splits a dim, the shards along
    the axis are gathered. If an axis splits a different dim, they are exchanged. A split over one
    more axis moves no bytes. XLA gathers the array if its axes move between several pairs of dims.
    """
    dims = {axis: dim for dim, axes in enumerate(before) for axis in axes}
    kept = {axis: dim for dim, axes in enumerate(after) for axis in axes}
    lost = [axis for axis in dims if axis not in kept]
    moved = [axis for axis in dims if kept.get(axis, dims[axis]) != dims[axis]]
    if len({(dims[axis], kept[axis]) for axis in moved}) > 1:
        lost, moved = [*lost, *moved], []
    stays = [axis for axis in dims if axis not in lost]
    local = total // shards(stays, mesh)
    gathered = local - local // shards(lost, mesh)
    local //= shards([axis for axis in kept if axis not in stays], mesh)
    return gathered + local - local // shards(moved, mesh)


def reduced_bytes(total: int, split: Split, over: Sequence[str], mesh: Mapping[str, int]) -> int:
    """Return the bytes that each device receives if an array is reduced over the axes `over`."""
    local = total // shards([axis for axes in split for axis in axes], mesh)
    return 2 * (local - local // shards(over, mesh))
