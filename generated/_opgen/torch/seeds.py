"""Draw a seed from a PyTorch generator if the caller of an op passes none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from ..core.kinds import wrong_kind
from .kinds import number, tensors_in

# Seeds are below this bound, like those of `torch.Tensor.random_`.
LIMIT = 2**63 - 1


def seed(
    op: str,
    name: str,
    value: Any,
    *of: Any,
    device: Any = None,
    when: Callable[[], bool] | None = None,
) -> Any:
    """Return `value`, or a new seed if it is None or a generator.

    The seed is drawn on `device`, by default the device of the first tensor in `of`. If the
    condition `when` does not hold, the call needs no seed and none is drawn. A drawn seed is an
    ordinary tensor. So the host does not wait for its value, and the backward receives the same
    seed.
    """
    if isinstance(value, Tensor):
        return value
    if value is not None and not isinstance(value, torch.Generator):
        given = number(value, "i64", *of, device=device)
        if not isinstance(given, Tensor):
            raise wrong_kind(op, name, "an integer, a torch.Generator or a tensor", value)
        return given
    if when is not None and not _holds(when):
        return value
    tensors = [tensor for each in of for tensor in tensors_in(each)]
    if any(map(_distributed, tensors)):
        raise ValueError(
            f"{op}: {name}: expected a seed: of DTensors each process would draw its own"
        )
    if device is None and tensors:
        device = tensors[0].device
    where = None if device is None else torch.device(device).type
    if value is not None and where not in (None, "meta", value.device.type):
        raise ValueError(
            f"{op}: {name}: expected a torch.Generator of {where}, got one of {value.device}"
        )
    if is_dynamo_compiling() and _may_draw_again():
        # After a graph break, the seed is an input of the next graph, and is not drawn again.
        torch._dynamo.graph_break(
            f"{op}: {name}: expected a seed: with activation_memory_budget below 1 the backward "
            "would draw another"
        )
    return torch.randint(LIMIT, (), dtype=torch.int64, device=device, generator=value)


def _holds(when: Callable[[], bool]) -> bool:
    """Return whether a condition on attrs holds. Return False if an attr has a wrong type, because
    a later check rejects it.
    """
    try:
        return bool(when())
    except TypeError:
        return False


def _may_draw_again() -> bool:
    """Return whether a compiled backward may draw the forward's random numbers again."""
    from torch._functorch import config

    return torch.is_grad_enabled() and config.activation_memory_budget < 1


# This has the effect of torch.compiler.assume_constant_result, which would import all of Dynamo.
_may_draw_again._dynamo_marked_constant = True  # type: ignore[attr-defined]


def _distributed(tensor: Tensor) -> bool:
    """Return whether a tensor is a DTensor, without importing DTensor."""
    module = sys.modules.get("torch.distributed.tensor")
    return module is not None and isinstance(tensor, module.DTensor)
