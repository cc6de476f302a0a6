"""Register the ops with DTensor as soon as DTensor is imported.

Importing DTensor takes half a second, so this package does not import it. The first call with a
DTensor is too late for registration, because PyTorch has already decomposed the call.
"""

from __future__ import annotations

from functools import partial

import torch

from .importing import when_imported

DTENSOR = "torch.distributed.tensor"


def shard(op: torch._ops.OpOverload) -> None:
    """Register `op` with DTensor when DTensor is imported."""
    when_imported(DTENSOR, partial(_shard, op))


def _shard(op: torch._ops.OpOverload) -> None:
    from . import dtensor, following
    from .problem import call_of

    facts = call_of(op).facts
    if facts.follow is not None:
        following.register(op, facts.follow, facts.followers)
    elif facts.told:
        dtensor.register(op)
