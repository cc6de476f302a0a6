"""Placements of an op's inputs on process meshes, for the tests with DTensors."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterator, Mapping
from math import prod

from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.source.frozen import dataclass
from opgen.testing.environment import Case, dtype_in, environment
from opgen.testing.placements import Array, arrays_of, name_of

# The meshes for each number of processes.
MESHES: Mapping[int, tuple[tuple[int, ...], ...]] = {
    2: ((2,),),
    4: ((4,), (2, 2)),
    8: ((8,), (4, 2)),
}
WHOLE, PART = "-", "+"

# The placement of an array along one mesh dim. It is the index of the sharded dim, WHOLE if the
# array is replicated, or PART if the array is a partial sum.
Place = int | str
# The placement of a whole call along one mesh dim. It is the name of a dim to shard in all arrays,
# or the index of the array that is a partial sum.
Way = str | int | None


@dataclass(frozen=True)
class Placement:
    """A mesh, and the placement of each array of a call along each mesh dim.

    `named` lists the split dims. If `alike` is true, these dims are split in all arrays that have
    them. Otherwise each array is placed at random. `parts` is true if any array is a partial sum.
    """

    mesh: tuple[int, ...]
    arrays: tuple[tuple[Place, ...], ...]
    named: tuple[str, ...]
    alike: bool = True

    @property
    def parts(self) -> bool:
        return any(PART in places for places in self.arrays)

    def __str__(self) -> str:
        arrays = (",".join(map(str, places)) for places in self.arrays)
        return f"{'x'.join(map(str, self.mesh))} {' '.join(arrays)}"


def placements(op: Op, case: Case, mesh: tuple[int, ...], count: int) -> list[Placement]:
    """Return up to `count` placements on one mesh: first the natural ones, then random ones.

    In a natural placement, one of two things happens along each mesh dim. A named dim is split in
    all arrays that have it, or one floating-point array is a partial sum.
    """
    arrays = list(arrays_of(op, case))
    rng = random.Random(f"{op.name} {case} {mesh}")
    ways = list(_ways(op, case, arrays))
    chosen = [*itertools.product(ways, repeat=len(mesh))]
    rng.shuffle(chosen)
    if len(mesh) == 1:
        chosen.sort(key=lambda way: isinstance(way[0], int))  # partial sums last
    share = max(1, count * 3 // 4)
    found = dict.fromkeys(_natural(arrays, mesh, way) for way in chosen[:share])
    for _ in range(20 * count):
        if len(found) >= count:
            break
        found[_by_chance(arrays, mesh, rng)] = None
    return list(found)


def random_placements(
    op: Op, case: Case, mesh: tuple[int, ...], count: int, seed: int
) -> list[Placement]:
    """Return up to `count` placements in which each array is placed independently.

    Floating-point arrays may be partial sums.
    """
    arrays, floating = list(arrays_of(op, case)), {*_floating(op, case)}
    rng = random.Random(f"{op.name} {case} {mesh} {seed}")
    chosen = (_by_chance(arrays, mesh, rng, floating) for _ in range(20 * count))
    return list(dict.fromkeys(each for each in chosen if each.named or each.parts))[:count]


def _ways(op: Op, case: Case, arrays: list[Array]) -> Iterator[Way]:
    yield from dict.fromkeys(dim for array in arrays for dim in array.dims if dim)
    yield from _floating(op, case)


def _floating(op: Op, case: Case) -> Iterator[int]:
    """Yield the indices of the input arrays that may be partial sums."""
    values, number = environment(op, case), 0
    for tensor in op.inputs:
        shape = values[tensor.name]
        for _ in (() if shape is None else shape if tensor.list else (shape,)):
            dtype = DTYPES[dtype_in(tensor, values)]
            if dtype.kind == "float" and dtype.bits >= 16 and not tensor.update:
                yield number
            number += 1


def _natural(arrays: list[Array], mesh: tuple[int, ...], ways: tuple[Way, ...]) -> Placement:

    def place(number: int, array: Array, way: Way) -> Place:
        if isinstance(way, int):
            return PART if number == way else WHOLE
        return array.dims.index(way) if way in array.dims else WHOLE

    placed = tuple(tuple(place(n, a, w) for w in ways) for n, a in enumerate(arrays))
    named = dict.fromkeys(name_of(w) for w in ways if isinstance(w, str))
    return Placement(mesh, placed, tuple(named))


def has_empty_shards(op: Op, case: Case, placement: Placement) -> bool:
    """Return whether a dim is split over more processes than it has elements."""
    return any(size < count for _, size, count in _split(op, case, placement))


def uneven(op: Op, case: Case, placement: Placement) -> set[str]:
    """Return the split dims whose shards have different sizes."""
    found = _split(op, case, placement)
    return {name_of(str(dim)) for dim, size, count in found if size % count}


def _split(op: Op, case: Case, placement: Placement) -> Iterator[tuple[str | None, int, int]]:
    """Yield the name, the size, and the number of processes of each split dim of each array."""
    for array, places in zip(arrays_of(op, case), placement.arrays):
        for dim, (name, size) in enumerate(zip(array.dims, array.sizes)):
            if dim in places:
                counts = zip(placement.mesh, places)
                yield name, size, prod(n for n, at in counts if at == dim)


def _by_chance(
    arrays: list[Array],
    mesh: tuple[int, ...],
    rng: random.Random,
    summed: Collection[int] = (),
) -> Placement:
    """Place each array at random. The arrays whose indices are in `summed` may be partial sums."""

    def ways(number: int, array: Array) -> list[Place]:
        return [WHOLE, *range(len(array.sizes)), *[PART] * (number in summed)]

    placed = tuple(
        tuple(rng.choice(ways(n, array)) for _ in mesh) for n, array in enumerate(arrays)
    )
    named = dict.fromkeys(
        name_of(str(array.dims[place]))
        for array, places in zip(arrays, placed)
        for place in places
        if isinstance(place, int)
    )
    return Placement(mesh, placed, tuple(named), alike=False)
