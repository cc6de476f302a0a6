"""The device meshes on which an op is tested in JAX, and the shardings of its inputs."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from opgen.ir.op import Op
from opgen.language.shapes import Group
from opgen.source.frozen import dataclass
from opgen.testing.cases import names_of
from opgen.testing.environment import Case, environment, form_in, holds

MESHES = {"d": (8,), "dt": (4, 2), "dtp": (2, 2, 2)}
KINDS = ("auto", "explicit", "mixed")
# Sizes that all meshes divide. The smaller sizes are for ops whose requirements reject the first.
SIZES = (16, 8, 32, 64, 4, 2, 1, 3)
TRIES = 400
# The limit for the elements of an array. The moved bytes and the run time grow with this number.
LARGEST = 1 << 18

Spec = tuple[tuple[str, ...], ...]  # for each dim of an array, the mesh axes over which it is split


@dataclass(frozen=True)
class Placement:
    """A mesh, and the split of each array of a call over the mesh.

    `axes` names the mesh axes, one letter each. On a `mixed` mesh, the first axis is explicit.
    `named` lists the split dims. `alike` is true if each named dim has the same split in all
    arrays, and each axis splits only one named dim.
    """

    axes: str
    kind: str
    specs: tuple[Spec, ...]
    named: tuple[str, ...]
    alike: bool = True

    def __str__(self) -> str:
        arrays = (",".join("+".join(d) or "-" for d in s) or "scalar" for s in self.specs)
        shape = "x".join(map(str, MESHES[self.axes]))
        return f"{shape} {self.kind} " + " ".join(arrays)


def wide_cases(op: Op, cases: list[Case], sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """Return cases whose sizes split evenly over all meshes.

    The result has one case for each choice of attrs and present inputs. Two values of a numeric
    attr count as the same choice. `sizes` are tried in the given order, so the sizes that split
    evenly over all meshes must come first.
    """
    found: dict[object, Case] = {}
    for case in cases:
        attrs = {(n, v if isinstance(v, str | bool) else type(v)) for n, v in case.attrs}
        key = frozenset(attrs), case.absent, case.forms
        wide = None if key in found else _widened(op, case, sizes)
        if wide is not None:
            found[key] = wide
    return list(found.values())


def _widened(op: Op, case: Case, among: tuple[int, ...]) -> Case | None:
    rng = random.Random(op.name)
    kinds, own = names_of(op), dims_of(op)
    for attempt in range(TRIES):
        sizes = tuple(
            (n, _size(kinds[n], attempt, among, rng)) for n, _ in case.sizes if n in kinds
        )
        attrs = tuple(
            (n, _size(own[n], attempt, among, rng) if n in own else v) for n, v in case.attrs
        )
        # A requirement may hold only for the original attrs of the case.
        wide = replace(case, sizes=sizes, attrs=attrs if attempt < TRIES // 2 else case.attrs)
        if holds(op, wide) and max(map(_elements, arrays_of(op, wide))) <= LARGEST:
            return wide
    return None


def dims_of(op: Op) -> dict[str, str]:
    """Return the attrs that are sizes of dims (`int`) or groups (`ints`) and may have any value."""
    every = (*op.inputs, *op.results)
    names = {name for tensor in every for shape in tensor.shapes for name in shape.names}
    kinds = {"int": "int", "int[]": "ints"}
    free = (a for a in op.attrs if a.name in names and not a.choices and a.max is None)
    return {a.name: kinds[a.type] for a in free if a.type in kinds}


def _elements(array: Array) -> int:
    return math.prod(array.sizes)


def _size(kind: str, attempt: int, among: tuple[int, ...], rng: random.Random) -> Any:
    one = among[attempt] if attempt < 2 else rng.choice(among[: 2 + attempt // 50])
    if kind == "int":
        return one
    group = (one, among[1])
    if kind.endswith(" of each"):
        return (group, (one,), group) if kind.startswith("ints") else (one, one, one)
    return group


@dataclass(frozen=True)
class Array:
    """The names and sizes of an array's dims. Dim 0 of a group `batch` is named `batch.0`."""

    dims: tuple[str | None, ...]
    sizes: tuple[int, ...]


def placements(op: Op, case: Case, count: int, seed: int = 0) -> list[Placement]:
    """Return up to `count` placements of a case: first the natural ones, then random ones.

    In a natural placement, a named dim has the same split in all arrays. Either one named dim is
    split over one or two axes, or two named dims are split over one axis each. The third axis of a
    mesh splits nothing.
    """
    arrays = list(arrays_of(op, case))
    rng = random.Random(f"{op.name} {case} {seed}")
    natural = list(_natural(arrays))
    rng.shuffle(natural)
    singles = [p for p in natural if len(p.named) == 1 and p.axes == "d" and p.kind == "auto"]
    found = dict.fromkeys([*singles, *natural][: max(count * 3 // 4, len(singles))])
    for _ in range(20 * count):
        if len(found) >= count:
            break
        placement = _by_chance(arrays, rng)
        if placement is not None:
            found[placement] = None
    return list(found)[:count]


def random_placements(
    op: Op, case: Case, count: int, seed: int, kinds: tuple[str, ...] = ("auto",)
) -> list[Placement]:
    """Return up to `count` placements of a case in which each array is split independently."""
    arrays = list(arrays_of(op, case))
    rng = random.Random(f"{op.name} {case} {seed} {kinds}")
    found: dict[Placement, None] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        placement = _by_chance(arrays, rng, rng.choice(kinds))
        if placement is not None:
            found[placement] = None
    return list(found)


def arrays_of(op: Op, case: Case) -> Iterator[Array]:
    values = environment(op, case)
    for tensor in op.inputs:
        shapes = values[tensor.name]
        if shapes is None:
            continue
        for index, shape in enumerate(shapes if tensor.list else [shapes]):
            dims: list[str | None] = []
            for term in form_in(op, tensor, values, case).terms:
                if isinstance(term, Group):
                    own = values[term.name][index] if term.each else values[term.name]
                    each = f"[{index}]" if term.each else ""
                    dims += [f"{term.name}{each}.{n}" for n in range(len(own))]
                else:
                    dims.append(_leading(str(term)))
            yield Array(tuple(dims), tuple(shape))


def _leading(text: str) -> str | None:
    """Return the first name in a term of a shape: `hk` for `hk*g`, `d` for `2*d`."""
    words = (word.strip() for word in text.split("*"))
    name = next((word for word in words if not word.isdigit()), "")
    return name if name.isidentifier() else None


def _natural(arrays: list[Array]) -> Iterator[Placement]:
    names = dict.fromkeys(d for a in arrays for d in a.dims if d)
    for axes in MESHES:
        ways: list[dict[str, tuple[str, ...]]] = [
            {name: (axis,)} for name in names for axis in axes[:2]
        ]
        if len(axes) > 1:
            ways += [{n: (axes[0],), m: (axes[1],)} for n, m in itertools.permutations(names, 2)]
            ways += [{name: tuple(axes[:2])} for name in names]
        for kind, way in itertools.product(KINDS[: 2 + (len(axes) > 1)], ways):
            specs = tuple(tuple(way.get(d or "", ()) for d in a.dims) for a in arrays)
            if all(_legal(a, s, axes) for a, s in zip(arrays, specs)):
                yield Placement(axes, kind, specs, tuple(map(name_of, way)))


def name_of(dim: str) -> str:
    """Return the name of a dim without its position in a group: `batch` for `batch.0`."""
    return dim.partition(".")[0].partition("[")[0]


def _by_chance(arrays: list[Array], rng: random.Random, kind: str = "auto") -> Placement | None:
    """Split each array at random. On explicit meshes, JAX rejects many of these placements."""
    axes = rng.choice(list(MESHES))
    specs, named = [], []
    for array in arrays:
        left = [axis for axis in axes if rng.random() < 0.6]
        spec: list[tuple[str, ...]] = [()] * len(array.sizes)
        for axis in left:
            dim = rng.randrange(len(spec)) if spec else None
            if dim is not None:
                spec[dim] = (*spec[dim], axis)
                named.append(name_of(str(array.dims[dim])))
        specs.append(tuple(spec))
    if not named or not all(_legal(a, s, axes) for a, s in zip(arrays, specs)):
        return None
    alike = _agree(arrays, specs)
    return Placement(axes, kind, tuple(specs), tuple(dict.fromkeys(named)), alike)


def _agree(arrays: list[Array], specs: list[Spec]) -> bool:
    """Return whether each dim name has one split in all arrays, and each axis splits one name."""
    ways: dict[str, tuple[str, ...]] = {}
    owners: dict[str, object] = {}
    for number, (array, spec) in enumerate(zip(arrays, specs)):
        for dim, (name, axes) in enumerate(zip(array.dims, spec)):
            if name is not None and ways.setdefault(name, axes) != axes:
                return False
            owner = name or (number, dim)
            if any(owners.setdefault(axis, owner) != owner for axis in axes):
                return False
    return True


def _legal(array: Array, spec: Spec, axes: str) -> bool:
    """Return whether JAX accepts this split of an array: even, and each axis used only once."""
    used = [axis for dim in spec for axis in dim]
    shape = dict(zip(axes, MESHES[axes]))
    counts = [1] * len(spec)
    for n, dim in enumerate(spec):
        for axis in dim:
            counts[n] *= shape[axis]
    return len(used) == len({*used}) and all(
        size % count == 0 for size, count in zip(array.sizes, counts)
    )
