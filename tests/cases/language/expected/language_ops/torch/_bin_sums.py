"""`bin_sums` for PyTorch.

Rendered by opgen from bins.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_reference = _runtime.reference("bins", "bin_sums")
_runtime.fall_back("bin_sums", _reference)
_op = _runtime.register("bin_sums", rule=("op bin_sums -> sums counts", "refuse x"))
_runtime.shard(
    _op,
    split=(),
    inputs={"x": "m n", "bin": "m"},
    results={"sums": "bins n", "counts": "bins"},
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def bin_sums(x: Tensor, bin: Tensor, *, bins: int) -> tuple[Tensor, Tensor]:
    """The sum of the rows of `x` in each bin, and how many there are.

    x: T[m n].
    bin: i64[m].
    bins: int, at least 1.
    Returns sums: Acc[bins n], counts: i64[bins].
    T: float32 or float16.
    Acc: accum(T).

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, bin, bins)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("bin_sums", error, x, bin, bins) from None
