"""Results whose length only the kernel can determine."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def filled(tensor: Tensor, count: Tensor) -> Tensor:
    """Return the first `count` rows of `tensor`. In a trace, the number of rows is a symbol."""
    size: Any = count.item()  # a symbol in a trace
    torch._check(size >= 0)
    torch._check(size <= tensor.shape[0])
    return tensor.narrow(0, 0, size)
