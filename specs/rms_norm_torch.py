"""`RMSNorm` for PyTorch, which calls the op `rms_norm`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from generated.torch import rms_norm

__all__ = ["RMSNorm"]


class RMSNorm(nn.Module):
    """Root-mean-square normalization of `x` over its trailing dims, scaled by `weight`.

    The module calls the op `rms_norm`. Its parameter is `weight`.

    Args:
        norm (int | Sequence[int])
        eps (float): at least 0. Default: 1e-05.
    """

    def __init__(
        self,
        norm: int | Sequence[int],
        *,
        eps: float = 1e-05,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if isinstance(norm, int):
            norm = (norm,)
        self.norm = tuple(norm)
        self.eps = eps
        self.weight = nn.Parameter(torch.empty(self.norm, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset the parameters to their initial values."""
        nn.init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.weight, eps=self.eps)

    def extra_repr(self) -> str:
        return f"{self.norm}, eps={self.eps}"
