"""How DTensor may split the ops, kept until it asks. Rendered by opgen."""

from __future__ import annotations

import sys
from typing import Any

import torch

_UNTOLD: list[tuple[torch._ops.OpOverload, dict[str, Any]]] = []


def shard(op: torch._ops.OpOverload, **facts: Any) -> None:
    """Keep what `dtensor.register` takes: importing DTensor costs half a second."""
    _UNTOLD.append((op, facts))


def tell_dtensor() -> None:
    """DTensor asks for the fake results of an op before it looks up how to split it."""
    if _UNTOLD and "torch.distributed.tensor" in sys.modules:
        from .dtensor import register

        while _UNTOLD:
            op, facts = _UNTOLD.pop()
            register(op, **facts)
