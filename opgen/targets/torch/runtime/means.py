"""Means that are weighted by what each shard counts, on DTensors. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor, Partial, Replicate


def run_with_means(
    weights: Mapping[int, int], op: torch._ops.OpOverload, args: Any, kwargs: Any
) -> Any:
    """The results of `op`; `weights` gives the positions of means, and of their weights.

    A mean of whose rows each shard has some is whole afterwards, and so is its weight. A
    placement cannot leave that for later: it knows of one tensor.
    """
    dispatcher = DTensor._op_dispatcher
    info = dispatcher.unwrap_to_op_info(op, args, kwargs)
    dispatcher.sharding_propagator.propagate(info)
    parts = dispatcher._dispatch_get_local_results_slow_path(op, args, info)
    results = [*dispatcher.wrap(parts, info.output_sharding.output_spec)]
    for mean, weight in weights.items():
        if any(placement.is_partial("avg") for placement in results[mean].placements):
            total = _total(results[mean], results[weight])
            results[weight] = _whole(results[weight])
            results[mean] = _divided(total, results[weight])
    return tuple(results)


def _total(mean: DTensor, weight: DTensor) -> DTensor:
    """What a mean is of; where nothing counts, a shard's mean is no number."""
    local, counted = mean.to_local(), weight.to_local()
    part = torch.where(counted == 0, 0, local * counted.to(local.dtype))
    return _whole(_like(part, mean, Partial("sum")))


def _divided(total: DTensor, weight: DTensor) -> DTensor:
    divisor = weight.to_local().to(total.dtype)
    return _like(total.to_local() / divisor, total, Replicate())


def _whole(tensor: DTensor) -> DTensor:
    placements = (Replicate() if p.is_partial() else p for p in tensor.placements)
    return tensor.redistribute(placements=[*placements])


def _like(local: Tensor, other: DTensor, instead: Any) -> DTensor:
    """A DTensor that is placed as another, but for what that has in parts."""
    placements = [instead if p.is_partial() else p for p in other.placements]
    kept = {"shape": other.shape, "stride": other.stride(), "run_check": False}
    return DTensor.from_local(local, other.device_mesh, placements, **kept)
