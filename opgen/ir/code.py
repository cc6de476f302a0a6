"""The code of a kernel that opgen does not compile from C++ sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from opgen.language.expr import Expr
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A function in a file of the kernels folder. Each kind of kernel, such as Triton, has a
    subclass with more fields.
    """

    # True if the code was compiled for certain devices, and only accepts calls on these devices.
    compiled: ClassVar[bool] = False

    file: str
    function: str
    # The launch grid, if the rendered C function (the entry) must compute it, else empty.
    grid: tuple[Expr, ...] = ()
    # The dims and groups that are divided among programs, each with the block size of a program.
    blocks: tuple[tuple[str, Expr], ...] = ()

    @property
    def kept(self) -> Mapping[str, object]:
        """Return the fields of `Kernel` that this code overrides, with their new values."""
        return {}
