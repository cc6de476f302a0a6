"""`UnitRows` for PyTorch: the op `unit_rows` as a module."""

import torch
from torch import Tensor, nn

from language_ops.torch import unit_rows

__all__ = ["UnitRows"]


class UnitRows(nn.Module):
    """Rows divided by their norms, times `weight`."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: Tensor) -> Tensor:
        return unit_rows(x, self.weight)
