"""`moe_permute` for PyTorch.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("moe_permute")
_op = _runtime.register(
    "moe_permute",
    rule=(
        "op moe_permute -> rows offsets places",
        "call moe_unpermute cotangent:rows result:places None -> x",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda **_: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def moe_permute(x: Tensor, ids: Tensor, *, e: int) -> tuple[Tensor, Tensor, Tensor]:
    """The row of each token, repeated for its `k` experts and sorted by expert, with the offset of
    each expert and the place of each row.

    Args:
        x (Tensor): shape `(t, d)`, float32, bfloat16, float16 or float64.
        ids (Tensor): shape `(t, k)`, int64 or int32.
        e (int): The number of experts. At least 1.

    Returns:
        A tuple of

        - rows (Tensor): shape `(t*k, d)`, the dtype of `x`.
        - offsets (Tensor): The first row of each expert, as `grouped_gemm` expects. Shape `(e+1,)`,
          int32.
        - places (Tensor): The row of `rows` for each token and each of its experts. Shape `(t, k)`,
          int32.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, ids, e)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("moe_permute", error, x, ids, e) from None
