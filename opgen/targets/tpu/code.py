"""A Pallas kernel: the function, and the blocks that its programs have."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.code import Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PallasKernel(Code):
    """A function of a file in the kernels folder.

    Of its parameters, `tensors` are references to blocks and `values` are attrs and sizes. A group
    is the product of its dims. `blocks` has the dims and groups of which a program has only a part,
    with the size of that. Each is an axis of the grid, the last the fastest.
    """

    tensors: tuple[str, ...]
    values: tuple[str, ...]
