"""`split_rows` for PyTorch.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("split_rows")
_runtime.define_gradient(
    "split_rows",
    "(Tensor[] dparts, Tensor x, SymInt[] sizes, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "split_rows",
    rule=(
        "op split_rows -> parts",
        "call split_rows_reference_vjp cotangent:parts input:x input:sizes needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def split_rows(x: Tensor, *, sizes: Sequence[int]) -> list[Tensor]:
    """`x` in pieces: the first has `sizes[0]` rows, and so on.

    Args:
        x (Tensor): shape `(sum(sizes), n)`, float32 or float64.
        sizes (Sequence[int]): at least 0.

    Returns:
        list of Tensor: shape `(sizes[i], n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, sizes)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("split_rows", error, x, sizes) from None
