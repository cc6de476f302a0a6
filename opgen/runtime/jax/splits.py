"""How one array is split over a mesh, and what it costs to split it otherwise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from jax.sharding import NamedSharding, PartitionSpec, Sharding

Split = tuple[tuple[str, ...], ...]  # the mesh axes that each dim is split over


def split_of(spec: PartitionSpec, rank: int) -> Split:
    """The axes of every dim; what the partitioner may choose counts as whole."""
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
    """The specs of shardings over `mesh` (the sizes of its axes)."""
    return [_spec(s, shape, mesh) for s, shape in zip(shardings, shapes)]


def _spec(
    sharding: Sharding | None, shape: tuple[int, ...], mesh: Mapping[str, int]
) -> PartitionSpec:
    """Of a sharding that names no axes, by the number of shards of each dim.

    Of axes of one size the first that is left is meant: another would split into shards of
    the same size, and the partitioner brings each to where it is wanted.
    """
    if isinstance(sharding, NamedSharding):
        return sharding.spec
    if sharding is None:  # GSPMD has none for it yet
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
    """How many shards these axes make."""
    return math.prod(mesh[axis] for axis in axes)


def bytes_between(total: int, before: Split, after: Split, mesh: Mapping[str, int]) -> int:
    """The bytes that reach each device where an array of `total` bytes is split anew.

    An axis that no dim has any more is gathered, one that changes its dim is exchanged;
    to split what is whole costs nothing.
    """
    dims = {axis: dim for dim, axes in enumerate(before) for axis in axes}
    kept = {axis: dim for dim, axes in enumerate(after) for axis in axes}
    lost = [axis for axis in dims if axis not in kept]
    moved = [axis for axis in dims if kept.get(axis, dims[axis]) != dims[axis]]
    local = total // shards([axis for axis in dims if axis not in lost], mesh)
    gathered = local - local // shards(lost, mesh)
    local //= shards([axis for axis in kept if axis not in dims], mesh)
    return gathered + local - local // shards(moved, mesh)


def reduced_bytes(total: int, split: Split, over: Sequence[str], mesh: Mapping[str, int]) -> int:
    """The bytes that reach each device where the parts of a split array are reduced."""
    local = total // shards([axis for axes in split for axis in axes], mesh)
    return 2 * (local - local // shards(over, mesh))
