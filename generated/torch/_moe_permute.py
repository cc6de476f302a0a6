"""`moe_permute` for PyTorch.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("moe", "moe_permute")
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
    """The rows of `x`, each for every of its `k` experts, in the order of the experts; where each
    begins, and where each row went.

    Args:
        x (Tensor): shape `(t, d)`, float32, bfloat16, float16 or float64.
        ids (Tensor): shape `(t, k)`, int64 or int32.
        e (int): How many experts there are. At least 1.

    Returns:
        A tuple of

        - rows (Tensor): shape `(t*k, d)`, the dtype of `x`.
        - offsets (Tensor): As `grouped_gemm` takes them. Shape `(e+1,)`, int32.
        - places (Tensor): Of a token and one of its experts, the row of `rows`. Shape `(t, k)`,
          int32.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, ids, e)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("moe_permute", error, x, ids, e) from None
