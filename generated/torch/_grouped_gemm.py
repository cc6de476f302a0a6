"""`grouped_gemm` for PyTorch.

Rendered by opgen from grouped_gemm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("grouped_gemm")
_op = _runtime.register(
    "grouped_gemm",
    rule=(
        "op grouped_gemm -> c",
        "let trans_b input:trans_b not",
        "call grouped_gemm cotangent:c input:b input:offsets let:trans_b -> a",
        "call grouped_gemm_wgrad input:a cotangent:c input:offsets input:trans_b -> b",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda a, b, trans_b, **_: 2 * a[0] * (b[1] if trans_b else b[2]) * a[1])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def grouped_gemm(a: Tensor, b: Tensor, offsets: Tensor, *, trans_b: bool = False) -> Tensor:
    """`c[rows of j] = a[rows of j] @ b[j]` for each group j. `offsets` delimits the rows of each
    group.

    Args:
        a (Tensor): shape `(m, k)`, bfloat16, float16, float32 or float64.
        b (Tensor): shape `(g, n, k)` or shape `(g, k, n)`, the dtype of `a`.
        offsets (Tensor): shape `(g+1,)`, int32.
        trans_b (bool): Default: False.

    Returns:
        Tensor: shape `(m, n)`, the dtype of `a`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(a, b, offsets, trans_b)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("grouped_gemm", error, a, b, offsets, trans_b) from None
