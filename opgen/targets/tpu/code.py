"""A Pallas kernel: the function, and the blocks of its programs."""

from __future__ import annotations

from opgen.ir.code import Code
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PallasKernel(Code):
    """A function of a file in the kernels folder.

    The parameters `tensors` are references to blocks, and the parameters `values` are attrs and
    sizes. A group counts as the product of its dims. `blocks` maps dims and groups to block sizes,
    if a program handles only a part of them. Each is a grid axis, and the last axis varies fastest.
    """

    tensors: tuple[str, ...]
    values: tuple[str, ...]
