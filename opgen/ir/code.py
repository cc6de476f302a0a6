"""The code of kernels that are not compiled from sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from opgen.language.expr import Expr
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A function in a file of the kernels folder. Each kind of kernel adds further fields."""

    # True if the code was compiled for certain devices, and only accepts calls on these devices.
    compiled: ClassVar[bool] = False

    file: str
    function: str
    # The launch grid, if only the rendered entry computes the grid.
    grid: tuple[Expr, ...] = ()
    # The dims and groups that are divided among programs, each with the block size of one program.
    blocks: tuple[tuple[str, Expr], ...] = ()

    @property
    def kept(self) -> Mapping[str, object]:
        """Return the keys of the kernel that apply to this code, with their values."""
        return {}
