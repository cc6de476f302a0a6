"""`embedding` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("embedding", "embedding")
_op = _runtime.register(
    "embedding",
    rule=(
        "op embedding -> y",
        "let rows input:weight sizes 0 item",
        "call embedding_bwd cotangent:y input:indices let:rows input:padding_idx -> weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda **_: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding(weight: Tensor, indices: Tensor, *, padding_idx: int | None = None) -> Tensor:
    """Rows of `weight` at `indices`; that of `padding_idx` gets no gradient.

    Args:
        weight (Tensor): shape `(rows, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(*s)`, int64 or int32.
        padding_idx (int, optional): A row that gets no gradient; below 0 it counts from the end.
            Default: None.

    Returns:
        Tensor: shape `(*s, d)`, the dtype of `weight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(weight, indices, padding_idx)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("embedding", error, weight, indices, padding_idx) from None


class Embedding(nn.Module):
    """Rows of `weight` at `indices`; that of `padding_idx` gets no gradient.

    `embedding` as a module, which holds `weight`.

    Args:
        num_embeddings (int)
        embedding_dim (int)
        padding_idx (int | None): A row that gets no gradient; below 0 it counts from the end.
            Default: None.
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


@_runtime.offer
class _ForEmbedding(_runtime.Patch):
    """A layer whose forward is `embedding`."""

    op = "embedding"
    of = ("torch.nn.Embedding",)
    reads = ("weight", "padding_idx", "max_norm", "scale_grad_by_freq", "sparse")
    dtypes = {
        "weight": (torch.float32, torch.bfloat16, torch.float16, torch.float64),
        "input": (torch.int64, torch.int32),
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
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
