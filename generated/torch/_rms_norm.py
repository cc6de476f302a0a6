"""`rms_norm` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor

from . import _runtime

_op = _runtime.register(
    "rms_norm",
    rule=(
        "op rms_norm -> y invvar",
        "constant invvar",
        "call rms_norm_bwd cotangent:y result:invvar input:x input:weight input:eps -> x weight",
    ),
    fold=("x",),
)
_runtime.shard(
    _op,
    split=("batch",),
    inputs={"x": "*batch *norm", "weight": "*norm"},
    results={"y": "*batch *norm", "invvar": "*batch"},
)
_runtime.count_flops(_op, lambda x, weight, eps: 4 * prod(x))


def rms_norm(x: Tensor, weight: Tensor, *, eps: float = 1e-05) -> Tensor:
    """Root-mean-square normalization of `x` over its trailing dims, scaled by `weight`.

    x: T[*batch *norm].
    weight: W[*norm].
    eps: float, at least 0.
    Returns y: W[*batch *norm].
    T: float32, bfloat16, float16 or float64.
    W: float32, bfloat16, float16 or float64.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return _op(x, weight, eps)[0]
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("rms_norm", error, x, weight, eps) from None
