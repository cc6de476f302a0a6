"""`layer_norm` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("layer_norm", "layer_norm")
_op = _runtime.register(
    "layer_norm",
    rule=(
        "op layer_norm -> y mean rstd",
        "residual mean rstd",
        "call layer_norm_bwd cotangent:y input:x result:mean result:rstd input:weight input:eps "
        "wanted -> x weight bias",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 7 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> Tensor:
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled and shifted.

    Args:
        x (Tensor): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        weight (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        bias (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or float64.
        normalized_shape (Sequence[int])
        eps (float): at least 0. Default: 1e-05.

    Returns:
        Tensor: shape `(*batch, *normalized_shape)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y, _, _ = (_traced if is_dynamo_compiling() else _eager)(
            x, weight, bias, normalized_shape, eps
        )
        return y
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "layer_norm", error, x, weight, bias, normalized_shape, eps
        ) from None


class LayerNorm(nn.Module):
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled and shifted.

    `layer_norm` as a module, which holds `weight` and `bias`.

    Args:
        normalized_shape (int | Sequence[int])
        eps (float): at least 0. Default: 1e-05.
        weight (bool): Whether there is a `weight`. Default: True.
        bias (bool): Whether there is a `bias`. Default: True.
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


@_runtime.offer
class _ForLayerNorm(_runtime.Patch):
    """A layer whose forward is `layer_norm`."""

    op = "layer_norm"
    of = ("torch.nn.LayerNorm",)
    reads = ("weight", "bias", "normalized_shape", "eps")
    dtypes = {
        "input": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "weight": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "bias": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if not self.eps >= 0.0:
            yield "self.eps >= 0.0"

    def forward(self: Any, input: Tensor) -> Any:
        if not self.takes("input", input):
            return super().forward(input)
        if not (self.weight is None or self.weight.dtype in (input.dtype, torch.float32)):
            return super().forward(input)
        if not (input.dtype == torch.float32 or not self.autocast(input)):
            return super().forward(input)
        return layer_norm(
            input, self.weight, self.bias, normalized_shape=self.normalized_shape, eps=self.eps
        )
