"""`Embedding` for PyTorch, and layers that `patch` replaces with the op `embedding`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from generated.torch import Patch, embedding, register_patch

__all__ = ["Embedding"]

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


class Embedding(nn.Module):
    """Rows of `weight` at `indices`; the row of `padding_idx` gets no gradient.

    The module calls the op `embedding`. Its parameter is `weight`.

    Args:
        num_embeddings (int)
        embedding_dim (int)
        padding_idx (int | None): A row that gets no gradient. A negative number counts
            from the end. Default: None.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        *,
        padding_idx: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(
            torch.empty((self.num_embeddings, self.embedding_dim), device=device, dtype=dtype)
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset the parameters to their initial values."""
        nn.init.normal_(self.weight)
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx] = 0

    def forward(self, indices: Tensor) -> Tensor:
        return embedding(self.weight, indices, padding_idx=self.padding_idx)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}, padding_idx={self.padding_idx}"


@register_patch
class _Embedding(Patch):
    """A patch of `Embedding`, whose forward calls `embedding`."""

    op = "embedding"
    of = ("torch.nn.Embedding",)
    reads = ("weight", "padding_idx", "max_norm", "scale_grad_by_freq", "sparse")
    dtypes = {
        "weight": FLOATS,
        "input": (torch.int64, torch.int32),
    }

    def unmet(self: Any) -> Iterator[str]:
        if self.max_norm is not None:
            yield "self.max_norm is None"
        if self.scale_grad_by_freq:
            yield "not self.scale_grad_by_freq"
        if self.sparse:
            yield "not self.sparse"

    def forward(self: Any, input: Tensor) -> Any:
        if not self.takes("input", input):
            return super().forward(input)
        return embedding(self.weight, input, padding_idx=self.padding_idx)
