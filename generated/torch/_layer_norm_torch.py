"""`LayerNorm` for PyTorch, and layers that `patch` replaces with the op `layer_norm`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from . import Patch, layer_norm, register_patch

__all__ = ["LayerNorm"]

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


class LayerNorm(nn.Module):
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled and shifted.

    The module calls the op `layer_norm`. Its parameters are `weight` and `bias`.

    Args:
        normalized_shape (int | Sequence[int])
        eps (float): at least 0. Default: 1e-05.
        weight (bool): If True, the module has a `weight`. Default: True.
        bias (bool): If True, the module has a `bias`. Default: True.
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        *,
        eps: float = 1e-05,
        weight: bool = True,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.weight = None
        if weight:
            self.weight = nn.Parameter(
                torch.empty(self.normalized_shape, device=device, dtype=dtype)
            )
        self.bias = None
        if bias:
            self.bias = nn.Parameter(torch.empty(self.normalized_shape, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset the parameters to their initial values."""
        if self.weight is not None:
            nn.init.ones_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        return layer_norm(
            x, self.weight, self.bias, normalized_shape=self.normalized_shape, eps=self.eps
        )

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, "
            f"eps={self.eps}, "
            f"weight={self.weight is not None}, "
            f"bias={self.bias is not None}"
        )


@register_patch
class _LayerNorm(Patch):
    """A patch of `LayerNorm`, whose forward calls `layer_norm`."""

    op = "layer_norm"
    of = ("torch.nn.LayerNorm",)
    reads = ("weight", "bias", "normalized_shape", "eps")
    dtypes = {"input": FLOATS, "weight": FLOATS, "bias": FLOATS}

    def unmet(self: Any) -> Iterator[str]:
        if not self.eps >= 0.0:
            yield "self.eps >= 0.0"

    def forward(self: Any, input: Tensor) -> Any:
        if (
            not self.takes("input", input)
            or (self.weight is not None and self.weight.dtype not in (input.dtype, torch.float32))
            or (input.dtype != torch.float32 and self.autocast(input))
        ):
            return super().forward(input)
        return layer_norm(
            input, self.weight, self.bias, normalized_shape=self.normalized_shape, eps=self.eps
        )
