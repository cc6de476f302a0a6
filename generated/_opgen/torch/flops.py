"""Counts of a call's operations for `torch.utils.flop_counter`.

The formulas are registered when the counter is imported. The counter imports Triton if it is
installed, which is too slow for the import of this package.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from .call import CALLS
from .importing import when_imported

COUNTER = "torch.utils.flop_counter"


def count_flops(op: torch._ops.OpOverload, formula: Callable[..., Any]) -> None:
    """Register `formula` as the count of an op's operations. The formula receives the shape of each
    tensor in place of the tensor.
    """
    call = CALLS[op._schema.name.partition("::")[2]]

    def count(*args: Any, out_shape: Any = None, **kwargs: Any) -> int:
        arguments = call.bind(args, kwargs)
        arguments.pop("wanted", None)
        return int(formula(**arguments))

    when_imported(COUNTER, partial(_register, op.overloadpacket, count))


def _register(packet: torch._ops.OpOverloadPacket, count: Callable[..., int]) -> None:
    from torch.utils.flop_counter import register_flop_formula

    register_flop_formula(packet)(count)
