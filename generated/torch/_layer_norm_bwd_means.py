"""`layer_norm_bwd_means` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "layer_norm_bwd_means",
    rule=("op layer_norm_bwd_means -> g_mean gh_mean", "refuse dy x mean rstd weight"),
    fold=("dy", "x", "mean", "rstd"),
)
_runtime.shard(
    _op,
    split=("batch", "norm"),
    inputs={
        "dy": "*batch *norm",
        "x": "*batch *norm",
        "mean": "*batch",
        "rstd": "*batch",
        "weight": "*norm",
    },
    results={"g_mean": "*batch", "gh_mean": "*batch"},
    reduce={"g_mean": {"norm": "mean"}, "gh_mean": {"norm": "mean"}},
)
_runtime.count_flops(_op, lambda dy, x, mean, rstd, weight: 5 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_bwd_means(
    dy: Tensor, x: Tensor, mean: Tensor, rstd: Tensor, weight: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The means of each row of `g = dy * weight` and of `g * (x - mean) * rstd`: a part
    of `layer_norm_bwd`.

    dy: T[*batch *norm].
    x: T[*batch *norm].
    mean: Acc[*batch].
    rstd: Acc[*batch].
    weight: W[*norm].
    Returns g_mean: Acc[*batch], gh_mean: Acc[*batch].
    T: float32, bfloat16, float16 or float64.
    W: float32, bfloat16, float16 or float64.
    Acc: accum(T).

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, x, mean, rstd, weight)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "layer_norm_bwd_means", error, dy, x, mean, rstd, weight
        ) from None
