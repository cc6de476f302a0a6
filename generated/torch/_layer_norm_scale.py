"""`layer_norm_scale` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "layer_norm_scale",
    rule=("op layer_norm_scale -> y rstd", "refuse x mean variance weight bias"),
    fold=("x", "mean", "variance"),
)
_runtime.shard(
    _op,
    split=("batch",),
    inputs={
        "x": "*batch *normalized_shape",
        "mean": "*batch",
        "variance": "*batch",
        "weight": "*normalized_shape",
        "bias": "*normalized_shape",
    },
    results={"y": "*batch *normalized_shape", "rstd": "*batch"},
    reduce={"rstd": {"normalized_shape": "same"}},
)
_runtime.count_flops(
    _op, lambda x, mean, variance, weight, bias, normalized_shape, eps: 4 * prod(x)
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_scale(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> tuple[Tensor, Tensor]:
    """Rows of `x` less their mean, over their deviation, scaled and shifted: a part of
    `layer_norm`.

    x: T[*batch *normalized_shape].
    mean: Acc[*batch].
    variance: Acc[*batch].
    weight: W[*normalized_shape].
    bias: W[*normalized_shape].
    normalized_shape: int[].
    eps: float, at least 0.
    Returns y: T[*batch *normalized_shape], rstd: Acc[*batch].
    T: float32, bfloat16, float16 or float64.
    W: float32, bfloat16, float16 or float64.
    Acc: accum(T).

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, mean, variance, weight, bias, normalized_shape, eps
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "layer_norm_scale",
            error,
            x,
            mean,
            variance,
            weight,
            bias,
            normalized_shape,
            eps,
        ) from None
