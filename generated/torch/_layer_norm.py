"""`layer_norm` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from . import _runtime

_op = _runtime.register(
    "layer_norm",
    rule=(
        "op layer_norm -> y mean rstd",
        "constant mean rstd",
        "call layer_norm_bwd cotangent:y input:x result:mean result:rstd input:weight -> x weight bias",
    ),
    fold=("x",),
)
_runtime.shard(
    _op,
    split=("batch",),
    inputs={
        "x": "*batch *normalized_shape",
        "weight": "*normalized_shape",
        "bias": "*normalized_shape",
    },
    results={"y": "*batch *normalized_shape", "mean": "*batch", "rstd": "*batch"},
)


def layer_norm(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> Tensor:
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled
    and shifted.

    x: T[*batch *normalized_shape].
    weight: W[*normalized_shape].
    bias: W[*normalized_shape].
    normalized_shape: int[].
    eps: float, at least 0.
    Returns y: T[*batch *normalized_shape].
    T: float32, bfloat16 or float16.
    W: float32, bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return _op(x, weight, bias, normalized_shape, eps)[0]
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "layer_norm", error, x, weight, bias, normalized_shape, eps
        ) from None
