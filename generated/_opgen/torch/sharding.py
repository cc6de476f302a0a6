"""How DTensor may place the ops, told as soon as DTensor is imported. Rendered by opgen.

Importing it costs half a second, and its first call of an op is too late: by then it has
taken the call apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch

from .importing import when_imported

DTENSOR = "torch.distributed.tensor"


def shard(op: torch._ops.OpOverload, **facts: Any) -> None:
    """Tell DTensor along which dims `op` may be split: what `dtensor.register` takes."""
    when_imported(DTENSOR, partial(_shard, op, **facts))


def follow(op: torch._ops.OpOverload, lead: str, followers: Sequence[str]) -> None:
    """Tell DTensor that `op` runs wherever `lead` is placed: see `following.register`."""
    when_imported(DTENSOR, partial(_follow, op, lead, followers))


def _shard(op: torch._ops.OpOverload, **facts: Any) -> None:
    from .dtensor import register

    register(op, **facts)


def _follow(op: torch._ops.OpOverload, lead: str, followers: Sequence[str]) -> None:
    from .following import register

    register(op, lead, followers)
