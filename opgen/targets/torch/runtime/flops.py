"""How many operations a call takes, for `torch.utils.flop_counter`. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.flop_counter import register_flop_formula

from .call import CALLS


def count_flops(op: torch._ops.OpOverload, formula: Callable[..., Any]) -> None:
    """`formula` takes the arguments of a call, shapes in place of tensors."""
    call = CALLS[op._schema.name.partition("::")[2]]

    def count(*args: Any, out_shape: Any = None, **kwargs: Any) -> int:
        arguments = call.bind(args, kwargs)
        arguments.pop("wanted", None)
        return int(formula(**arguments))

    register_flop_formula(op.overloadpacket)(count)
