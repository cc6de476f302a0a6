"""A kernel in Pallas: the function, and the blocks that its programs have."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.language.expr import Expr


@dataclass(frozen=True, slots=True)
class PallasKernel:
    """A function of a file below the kernels folder.

    Of its parameters `tensors` are references to blocks, `values` are attrs and sizes; a group is
    the product of its own. `blocks` are the names of dims and groups of which a program has a part
    only, and how large that is: each is an axis of the grid, the last the fastest.
    """

    file: str
    function: str
    tensors: tuple[str, ...]
    values: tuple[str, ...]
    blocks: tuple[tuple[str, Expr], ...]
