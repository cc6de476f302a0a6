"""Decide whether a dim of a call may be split over a mesh axis. If it may not, give the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .call import Call
from .factors import Factor, Factors, axes_of, may_meet, may_split
from .splits import Split, shards
from .stages import Axes, Way

# The reductions of shards. `same` and `local` need no reduction.
REDUCING = ("sum", "max", "min", "mean", "sum_exp")


@dataclass(frozen=True)
class Problem:
    """A call, and the split of its operands.

    `hidden` is set if the operands may also be split over further, unknown axes.
    """

    call: Call
    operands: Sequence[Any]
    given: tuple[Split, ...]
    mesh: Mapping[str, int]
    rows: Factors
    sizes: Mapping[Factor, set[int]]
    ways: tuple[Way, ...]
    hidden: bool = False

    def able(self, factors: Iterable[Factor]) -> list[Way]:
        """Return the ways to compute the call (by its own kernel, or by stages) that allow a split
        of all these factors.
        """
        factors = tuple(factors)
        return [way for way in self.ways if all(map(way.may_split, factors))]

    def way(self, factors: Iterable[Factor]) -> Way:
        """Return the first way in which all these factors may be split. At least one must exist."""
        return self.able(factors)[0]


def refusal(
    problem: Problem, axes: Axes, factor: Factor, axis: str, even: bool = False
) -> str | None:
    """Return the reason why `axis` may not split `factor` in addition to `axes`; None if it may.

    XLA pads uneven shards. Padding is harmless if elements are computed independently. But it gives
    wrong results in a reduction, and for a factor with dims of two sizes, `hk` and `hk*g`. If
    `even` is set, every uneven split is rejected.
    """
    call, name = problem.call, factor.name
    if not may_split(call, factor):
        return f"`{name}` is not among the dims that `sharding.split` names"
    able = problem.able((*axes, factor))
    if not able:
        others = ", ".join(f"`{each.name}`" for each in axes)
        return f"`{name}` cannot be split together with {others}"
    for other, taken in axes.items():
        if axis in taken and may_meet(factor, other):
            return f"the axis splits `{other.name}` already"
    reduced = _reduced(able[0], factor)
    if reduced and factor.number is not None:
        return f"`{name}` of several tensors is reduced"
    size, several = min(problem.sizes[factor]), len(problem.sizes[factor]) > 1
    count = shards((*axes.get(factor, ()), axis), problem.mesh)
    if (even or several or reduced) and size % count:
        return f"`{name}` = {size} is no multiple of {count}"
    return None


def _reduced(way: Way, factor: Factor) -> bool:
    """Return whether some result must be reduced if a factor is split."""
    return any(
        stage.names[factor].name == dim and kind in REDUCING
        for stage in way.stages
        if factor in stage.names
        for how in stage.call.reduce
        for dim, kind, _ in how
    )


def complaint(problem: Problem, axes: Axes) -> str | None:
    """Return the error that a kernel would raise for a shard of this split; None if it accepts all
    shards.
    """
    way = problem.way(axes)
    for stage in way.stages:
        own, shapes, dtypes = stage.own(axes), [], []
        for row, place in zip(stage.rows.inputs, stage.operands):
            counts = [shards(axes_of(own, f), problem.mesh) for f in row]
            x = stage.zero if place is None else way.values[place]
            shapes.append(tuple(-(-n // k) for n, k in zip(x.shape, counts)))
            dtypes.append(x.dtype)
        try:
            on_shards(stage.call, own, problem.mesh).infer(shapes, dtypes)
        except ValueError as error:
            return f"a shard is refused: {error}"
    return None


def on_shards(call: Call, axes: Axes, mesh: Mapping[str, int]) -> Call:
    """Return the call for one shard of a split over these axes.

    In this call, an attr that is the size of a split dim has the size of the shard.
    """
    if not any(factor.name == name for factor in axes for name, _ in call.attrs):
        return call

    def size(name: str, n: int, whole: int) -> int:
        return -(-whole // shards(axes.get(Factor(name, n), ()), mesh))

    def value(name: str, whole: Any) -> Any:
        if isinstance(whole, tuple):
            return tuple(size(name, n, each) for n, each in enumerate(whole))
        return size(name, 0, whole)

    names = {factor.name for factor in axes}
    attrs = ((n, value(n, v) if n in names else v) for n, v in call.attrs)
    return replace(call, attrs=tuple(attrs))
