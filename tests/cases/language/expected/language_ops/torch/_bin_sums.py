"""`bin_sums` for PyTorch.

Rendered by opgen from bins.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("bin_sums")
_runtime.fall_back("bin_sums", _reference)
_op = _runtime.register("bin_sums", rule=("op bin_sums -> sums counts", "refuse x"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def bin_sums(x: Tensor, bin: Tensor, *, bins: int) -> tuple[Tensor, Tensor]:
    """The sum of the rows of `x` in each bin, and how many there are.

    Args:
        x (Tensor): shape `(m, n)`, float32 or float16.
        bin (Tensor): shape `(m,)`, int64.
        bins (int): at least 1.

    Returns:
        A tuple of

        - sums (Tensor): shape `(bins, n)`, float32.
        - counts (Tensor): shape `(bins,)`, the dtype of `bin`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, bin, bins)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("bin_sums", error, x, bin, bins) from None
