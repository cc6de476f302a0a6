"""`grouped_gemm_wgrad` for PyTorch.

Rendered by opgen from grouped_gemm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `grouped_gemm`'s reference.
_reference = _runtime.reference("grouped_gemm_wgrad")
_op = _runtime.register(
    "grouped_gemm_wgrad",
    rule=(
        "op grouped_gemm_wgrad -> db",
        "let trans_b input:trans_b not",
        "call grouped_gemm input:dc cotangent:db input:offsets let:trans_b -> a",
        "call grouped_gemm input:a cotangent:db input:offsets input:trans_b -> dc",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda a, dc, **_: 2 * a[0] * dc[1] * a[1])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def grouped_gemm_wgrad(a: Tensor, dc: Tensor, offsets: Tensor, *, trans_b: bool) -> Tensor:
    """Gradient of `grouped_gemm` with respect to `b`.

    Args:
        a (Tensor): shape `(m, k)`, bfloat16, float16, float32 or float64.
        dc (Tensor): shape `(m, n)`, the dtype of `a`.
        offsets (Tensor): shape `(g+1,)`, int32.
        trans_b (bool)

    Returns:
        Tensor: shape `(g, n, k)` or shape `(g, k, n)`, the dtype of `a`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(a, dc, offsets, trans_b)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("grouped_gemm_wgrad", error, a, dc, offsets, trans_b) from None
