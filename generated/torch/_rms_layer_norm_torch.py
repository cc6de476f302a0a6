"""`RMSLayerNorm` for PyTorch, and layers that `patch` replaces with the op `rms_layer_norm`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from . import Patch, register_patch, rms_layer_norm

__all__ = ["RMSLayerNorm"]

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


class RMSLayerNorm(nn.Module):
    """Divide `x` by the root mean square of its trailing dims, then multiply by `weight + offset`.

    The result has x's dtype. PyTorch, Llama and Gemma use such norms.

    The module calls the op `rms_layer_norm`. Its parameter is `weight`.

    Args:
        normalized_shape (int | Sequence[int])
        eps (float | None): At least 0. By default the epsilon of f32 (of f64 for f64), as in
            `torch.nn.functional.rms_norm`. Default: None.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product with the weight, as Llama does.
            Default: False.
        weight (bool): If True, the module has a `weight`. Default: True.
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        *,
        eps: float | None = None,
        offset: float = 0.0,
        cast_first: bool = False,
        weight: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.offset = offset
        self.cast_first = cast_first
        self.weight = None
        if weight:
            self.weight = nn.Parameter(
                torch.empty(self.normalized_shape, device=device, dtype=dtype)
            )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset the parameters to their initial values."""
        if self.weight is not None:
            nn.init.constant_(self.weight, 1 - self.offset)

    def forward(self, x: Tensor) -> Tensor:
        return rms_layer_norm(
            x,
            self.weight,
            normalized_shape=self.normalized_shape,
            eps=self.eps,
            offset=self.offset,
            cast_first=self.cast_first,
        )

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, "
            f"eps={self.eps}, "
            f"offset={self.offset}, "
            f"cast_first={self.cast_first}, "
            f"weight={self.weight is not None}"
        )


@register_patch
class _RMSNorm(Patch):
    """A patch of `RMSNorm`, whose forward calls `rms_layer_norm`."""

    op = "rms_layer_norm"
    of = ("torch.nn.RMSNorm",)
    reads = ("weight", "normalized_shape", "eps")
    dtypes = {"x": FLOATS, "weight": FLOATS}

    def unmet(self: Any) -> Iterator[str]:
        if not (self.eps is None or self.eps >= 0.0):
            yield "self.eps is None or self.eps >= 0.0"

    def forward(self: Any, x: Tensor) -> Any:
        if (
            not self.takes("x", x)
            or (self.weight is not None and self.weight.dtype not in (x.dtype, torch.float32))
            or (x.dtype != torch.float32 and self.autocast(x))
        ):
            return super().forward(x)
        return rms_layer_norm(x, self.weight, normalized_shape=self.normalized_shape, eps=self.eps)


@register_patch
class _LlamaRMSNorm(Patch):
    """A patch of `LlamaRMSNorm`, whose forward calls `rms_layer_norm`."""

    op = "rms_layer_norm"
    of = (
        "transformers.models.llama.modeling_llama.LlamaRMSNorm",
        "transformers.models.mistral.modeling_mistral.MistralRMSNorm",
        "transformers.models.mixtral.modeling_mixtral.MixtralRMSNorm",
        "transformers.models.olmoe.modeling_olmoe.OlmoeRMSNorm",
        "transformers.models.phi3.modeling_phi3.Phi3RMSNorm",
        "transformers.models.qwen2.modeling_qwen2.Qwen2RMSNorm",
        "transformers.models.qwen3.modeling_qwen3.Qwen3RMSNorm",
        "transformers.models.qwen3_moe.modeling_qwen3_moe.Qwen3MoeRMSNorm",
    )
    reads = ("weight", "variance_epsilon")
    dtypes = {"hidden_states": FLOATS, "weight": FLOATS}

    def unmet(self: Any) -> Iterator[str]:
        if self.weight.ndim != 1:
            yield "self.weight.ndim == 1"
        if not (self.variance_epsilon is None or self.variance_epsilon >= 0.0):
            yield "self.variance_epsilon is None or self.variance_epsilon >= 0.0"

    def forward(self: Any, hidden_states: Tensor) -> Any:
        if (
            not self.takes("hidden_states", hidden_states)
            or hidden_states.dtype == torch.float64
            or self.weight.dtype not in (hidden_states.dtype, torch.float32)
        ):
            return super().forward(hidden_states)
        return rms_layer_norm(
            hidden_states,
            self.weight,
            normalized_shape=self.weight.shape,
            eps=self.variance_epsilon,
            cast_first=True,
        )


@register_patch
class _GemmaRMSNorm(Patch):
    """A patch of `GemmaRMSNorm`, whose forward calls `rms_layer_norm`."""

    op = "rms_layer_norm"
    of = ("transformers.models.gemma.modeling_gemma.GemmaRMSNorm",)
    reads = ("weight", "eps")
    dtypes = {"x": FLOATS, "weight": FLOATS}

    def unmet(self: Any) -> Iterator[str]:
        if self.weight.ndim != 1:
            yield "self.weight.ndim == 1"
        if not (self.eps is None or self.eps >= 0.0):
            yield "self.eps is None or self.eps >= 0.0"

    def forward(self: Any, x: Tensor) -> Any:
        if (
            not self.takes("x", x)
            or x.dtype == torch.float64
            or self.weight.dtype not in (x.dtype, torch.float32)
        ):
            return super().forward(x)
        return rms_layer_norm(
            x, self.weight, normalized_shape=self.weight.shape, eps=self.eps, offset=1.0
        )
