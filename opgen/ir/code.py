"""The code of kernels that are not compiled from sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from opgen.language.expr import Expr
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A function of a file in the kernels folder. Each kind of kernels adds further fields."""

    # True if it was compiled for some devices, and only accepts calls on those.
    compiled: ClassVar[bool] = False

    file: str
    function: str
    # The grid, if only the rendered entry computes it.
    grid: tuple[Expr, ...] = ()
    # The dims and groups that a program has a part of, with the size of the part.
    blocks: tuple[tuple[str, Expr], ...] = ()

    @property
    def kept(self) -> Mapping[str, object]:
        """Return the keys of the kernel that apply to this code, with their values."""
        return {}
