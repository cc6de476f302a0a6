"""A CuTe DSL kernel in an object file: the called function, and its arguments."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.language.expr import Expr


@dataclass(frozen=True, slots=True)
class CuteArgument:
    """The value of a parameter: the stream, a field of the descriptor as a number, or a tensor.

    A tensor's run-time `shapes` and `strides` are over fields of the descriptor. `type` is a
    number's C type, and empty for a tensor.
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
    """The object `file` in the kernels folder. `init` and `load` move its code to a device."""

    file: str
    function: str
    init: str
    load: str
    arguments: tuple[CuteArgument, ...]

    @property
    def narrow(self) -> bool:
        """Return whether some size or stride is passed in 32 bits."""
        types = ((a.shape_type, a.shapes) for a in self.arguments)
        strides = ((a.stride_type, a.strides) for a in self.arguments)
        return any(type == "int32_t" and values for type, values in (*types, *strides))
