"""Estimate the cost of redistributing a tensor: the collectives, and the bytes each process
receives.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec

from .problem import Placements

# The cost of one collective, in bytes. Among ways that move equally many bytes, the one with the
# fewest collectives is the cheapest. A float can represent this cost next to the bytes of any call.
COLLECTIVE = 2.0**-10


def moved(spec: DTensorSpec, mesh: DeviceMesh, after: Placements) -> float:
    """Return the cost of moving a tensor with `spec` to the placements `after`."""
    if spec.mesh != mesh:
        return float("inf")
    assert spec.tensor_meta is not None
    width = spec.tensor_meta.dtype.itemsize
    return cost_between(spec.shape, width, mesh, spec.placements, after)


def cost_between(
    shape: Sequence[int], width: int, mesh: DeviceMesh, before: Sequence[Any], after: Sequence[Any]
) -> float:
    """Return the cost of redistributing a tensor of `shape` whose elements have `width` bytes.

    If several mesh dims split one tensor dim, and the outer one changes its placement, DTensor
    first gathers over the inner ones. Then it redistributes over one mesh dim at a time. On the
    CPU, DTensor replaces an all-to-all by an all-gather. The cost assumes that each process sends
    as much as the largest shard.
    """
    counts, sizes = mesh.shape, [*shape]
    for count, placement in zip(counts, before):
        if isinstance(placement, Shard):
            sizes[placement.dim] = -(-sizes[placement.dim] // count)
    placed, total = [*before], 0.0
    local: float = prod(sizes) * width
    for at in reversed(range(mesh.ndim)):
        outer = (pair for pair in zip(placed[:at], after) if pair[0] != pair[1])
        if _is_split(placed[at]) and any(placed[at] in pair for pair in outer):
            local *= counts[at]
            total += local * (counts[at] - 1) / counts[at] + COLLECTIVE
            placed[at] = None  # whole
    for count, old, new in zip(counts, placed, after):
        if old == new:
            continue
        if old is not None and old.is_partial():
            if new.is_partial():
                return float("inf")
            share = 1 if _is_split(new) else 2
            total += share * local * (count - 1) / count + COLLECTIVE
        elif old is not None and _is_split(old):
            if new.is_partial():
                return float("inf")
            whole = not _is_split(new)
            gathered = local * (count if whole or mesh.device_type == "cpu" else 1)
            total += gathered * (count - 1) / count + COLLECTIVE
            local *= count if whole else 1
            continue
        local /= count if _is_split(new) else 1
    return total


def _is_split(placement: Any) -> bool:
    """Return whether a placement splits a dim, including kinds without a public name in DTensor."""
    return not (placement.is_replicate() or placement.is_partial())
