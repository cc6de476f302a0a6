"""`tensor_add` for PyTorch.

Rendered by opgen from tensor_add.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("tensor_add")
_op = _runtime.register(
    "tensor_add",
    rule=("op tensor_add -> c", "formula a cotangent:c", "formula b cotangent:c"),
    reference=_reference,
)
_runtime.count_flops(_op, lambda a, **_: a[0] * a[1])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def tensor_add(a: Tensor, b: Tensor) -> Tensor:
    """Elementwise `a + b` of two matrices.

    Args:
        a (Tensor): shape `(m, n)`, float32, bfloat16, float16 or float64.
        b (Tensor): shape `(m, n)`, the dtype of `a`.

    Returns:
        Tensor: shape `(m, n)`, the dtype of `a`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(a, b)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("tensor_add", error, a, b) from None
