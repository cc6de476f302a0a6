"""Results whose length only the kernel can determine."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def filled(tensor: Tensor, count: Tensor) -> Tensor:
    """Return the first `count` elements. In a trace, the length is a symbol with these bounds."""
    size: Any = count.item()  # of a trace a symbol
    torch._check(size >= 0)
    torch._check(size <= tensor.shape[0])
    return tensor.narrow(0, 0, size)
