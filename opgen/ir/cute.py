"""A kernel of CuTe DSL, in an object file: the function that is called, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.language.expr import Expr


@dataclass(frozen=True, slots=True)
class CuteArgument:
    """What a parameter gets: the stream, a field of the descriptor as a number, or a tensor.

    A tensor's `shapes` and `strides`, those that it is given at run time, are over fields of the
    descriptor; `type` is a number's in C, and empty for a tensor.
    """

    name: str
    type: str = ""
    stream: bool = False
    shapes: tuple[Expr, ...] = ()
    shape_type: str = "int64_t"
    strides: tuple[Expr, ...] = ()
    stride_type: str = "int64_t"


@dataclass(frozen=True, slots=True)
class CuteKernel:
    """The object `file` below the kernels folder; `init` and `load` bring its code to a device."""

    file: str
    function: str
    init: str
    load: str
    arguments: tuple[CuteArgument, ...]

    @property
    def narrow(self) -> bool:
        """Whether some size or stride is passed in 32 bits."""
        types = ((a.shape_type, a.shapes) for a in self.arguments)
        strides = ((a.stride_type, a.strides) for a in self.arguments)
        return any(type == "int32_t" and values for type, values in (*types, *strides))
