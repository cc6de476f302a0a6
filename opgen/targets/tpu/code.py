"""The IR of a Pallas kernel: its function, and the blocks that one program processes."""

from __future__ import annotations

from opgen.ir.nodes import Code
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PallasKernel(Code):
    """A Pallas function in a file in the kernels folder.

    `tensors` are the parameters that receive references to blocks. `values` are the parameters that
    receive attrs and sizes. The size of a group is the product of its dims. `blocks` has a block
    size for each dim or group that is split among programs. Each entry of `blocks` is an axis of
    the grid, and the last axis varies fastest.
    """

    tensors: tuple[str, ...]
    values: tuple[str, ...]
