"""The code of a kernel that is not compiled from its sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from opgen.language.expr import Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A function of a file in the kernels folder. Each kind of kernels adds what it knows."""

    # Whether it was compiled for some devices, and takes calls on those alone.
    compiled: ClassVar[bool] = False

    file: str
    function: str
    # The grid, if only the entry knows it.
    grid: tuple[Expr, ...] = ()
    # The dims and groups of which a program has a part, with the size of that.
    blocks: tuple[tuple[str, Expr], ...] = ()

    @property
    def kept(self) -> Mapping[str, object]:
        """Return the keys of the kernel that the code replaces, with their values."""
        return {}
