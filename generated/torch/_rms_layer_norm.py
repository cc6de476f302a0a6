"""`rms_layer_norm` for PyTorch.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_layer_norm", "rms_layer_norm", "rms_layer_norm")
_op = _runtime.register(
    "rms_layer_norm",
    rule=(
        "op rms_layer_norm -> y rstd",
        "residual rstd",
        "let eps input:eps present input:eps input:x dtype f64 == 2.0 -52 ** 2.0 -23 ** where "
        "where",
        "call rms_layer_norm_bwd cotangent:y input:x result:rstd input:weight let:eps "
        "input:offset input:cast_first -> x weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 4 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_layer_norm(
    x: Tensor,
    weight: Tensor | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float | None = None,
    offset: float = 0.0,
    cast_first: bool = False,
) -> Tensor:
    """`x` over the root mean square of its trailing dims, times `weight + offset`, in x's dtype:
    the norms of PyTorch, Llama and Gemma.

    Args:
        x (Tensor): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        weight (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        normalized_shape (Sequence[int])
        eps (float, optional): By default the epsilon of f32, of f64 for f64, as
            `torch.nn.functional.rms_norm` has it. At least 0. Default: `2.0**(-52) if T == f64 else
            2.0**(-23)`.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product by the weight, as Llama does.
            Default: False.

    Returns:
        Tensor: shape `(*batch, *normalized_shape)`, `promote(x.dtype, weight.dtype)` or `x.dtype`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y, _ = (_traced if is_dynamo_compiling() else _eager)(
            x, weight, normalized_shape, eps, offset, cast_first
        )
        return y
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "rms_layer_norm", error, x, weight, normalized_shape, eps, offset, cast_first
        ) from None


class RMSLayerNorm(nn.Module):
    """`x` over the root mean square of its trailing dims, times `weight + offset`, in x's dtype:
    the norms of PyTorch, Llama and Gemma.

    `rms_layer_norm` as a module, which holds `weight`.

    Args:
        normalized_shape (int | Sequence[int])
        eps (float | None): By default the epsilon of f32, of f64 for f64, as
            `torch.nn.functional.rms_norm` has it. At least 0. Default: None.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product by the weight, as Llama does.
            Default: False.
        weight (bool): Whether there is a `weight`. Default: True.
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


@_runtime.offer
class _ForRMSNorm(_runtime.Patch):
    """A layer whose forward is `rms_layer_norm`."""

    op = "rms_layer_norm"
    of = ("torch.nn.RMSNorm",)
    reads = ("weight", "normalized_shape", "eps")
    dtypes = {
        "x": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "weight": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if not (self.eps is None or self.eps >= 0.0):
            yield "self.eps is None or self.eps >= 0.0"

    def forward(self: Any, x: Tensor) -> Any:
        if not self.takes("x", x):
            return super().forward(x)
        if not (self.weight is None or self.weight.dtype in (x.dtype, torch.float32)):
            return super().forward(x)
        if not (x.dtype == torch.float32 or not self.autocast(x)):
            return super().forward(x)
        return rms_layer_norm(x, self.weight, normalized_shape=self.normalized_shape, eps=self.eps)


@_runtime.offer
class _ForLlamaRMSNorm(_runtime.Patch):
    """A layer whose forward is `rms_layer_norm`."""

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
    dtypes = {
        "hidden_states": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "weight": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if self.weight.ndim != 1:
            yield "self.weight.ndim == 1"
        if not (self.variance_epsilon is None or self.variance_epsilon >= 0.0):
            yield "self.variance_epsilon is None or self.variance_epsilon >= 0.0"

    def forward(self: Any, hidden_states: Tensor) -> Any:
        if not self.takes("hidden_states", hidden_states):
            return super().forward(hidden_states)
        if hidden_states.dtype == torch.float64:
            return super().forward(hidden_states)
        if self.weight.dtype not in (hidden_states.dtype, torch.float32):
            return super().forward(hidden_states)
        return rms_layer_norm(
            hidden_states,
            self.weight,
            normalized_shape=self.weight.shape,
            eps=self.variance_epsilon,
            cast_first=True,
        )


@_runtime.offer
class _ForGemmaRMSNorm(_runtime.Patch):
    """A layer whose forward is `rms_layer_norm`."""

    op = "rms_layer_norm"
    of = ("transformers.models.gemma.modeling_gemma.GemmaRMSNorm",)
    reads = ("weight", "eps")
    dtypes = {
        "x": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "weight": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if self.weight.ndim != 1:
            yield "self.weight.ndim == 1"
        if not (self.eps is None or self.eps >= 0.0):
            yield "self.eps is None or self.eps >= 0.0"

    def forward(self: Any, x: Tensor) -> Any:
        if not self.takes("x", x):
            return super().forward(x)
        if x.dtype == torch.float64:
            return super().forward(x)
        if self.weight.dtype not in (x.dtype, torch.float32):
            return super().forward(x)
        return rms_layer_norm(
            x, self.weight, normalized_shape=self.weight.shape, eps=self.eps, offset=1.0
        )
