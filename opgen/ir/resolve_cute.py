"""Conversion of a CuTe DSL kernel's spec and header to the IR."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from opgen.ir.cute import CuteArgument, CuteKernel
from opgen.ir.descriptor import describe
from opgen.ir.nodes import Field
from opgen.ir.resolve_triton import over_fields
from opgen.language.cute_header import CuteParameter, cute_function
from opgen.language.expr import Const, Expr, Name, parse_expr, text_of
from opgen.language.scope import Scope
from opgen.language.shapes import Group, parse_shape
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.tensors import TensorSpec


def header_of(file: str) -> str:
    """Return the header next to an object."""
    return str(PurePosixPath(file).with_suffix(".h"))


def cute_kernel(scope: Scope, kernel: KernelSpec, text: str) -> CuteKernel:
    """Return the kernel that a spec names; `text` is the text of its header."""
    assert kernel.object is not None
    function, fields = cute_function(text), describe(scope).fields
    return CuteKernel(
        file=kernel.object,
        function=function.symbol,
        init=function.init,
        load=function.load,
        arguments=tuple(_argument(scope, kernel, p, fields) for p in function.parameters),
    )


def _argument(
    scope: Scope, kernel: KernelSpec, parameter: CuteParameter, fields: Sequence[Field]
) -> CuteArgument:
    if not parameter.is_tensor:
        return CuteArgument(parameter.name, parameter.type, parameter.is_stream)
    sizes, moves = modes(scope.spec.tensors[parameter.name]), moving(kernel)
    strides = [stride(sizes, n) for n in range(len(sizes))]
    return CuteArgument(
        parameter.name,
        shapes=tuple(
            over_fields(sizes[n], fields)
            for n in given_shapes(sizes, parameter.shapes.count, moves) or ()
        ),
        shape_type=parameter.shapes.type,
        strides=tuple(
            over_fields(strides[n], fields)
            for n in given_strides(sizes, parameter.strides.count, moves) or ()
        ),
        stride_type=parameter.strides.type,
    )


def modes(tensor: TensorSpec) -> tuple[Expr, ...]:
    """Return the sizes of a tensor for CuTe: one for each dim, and one for each group."""
    return tuple(
        parse_expr(f"prod({term.name})") if isinstance(term, Group) else term.size
        for term in parse_shape(tensor.one_shape or "").terms
    )


def stride(sizes: Sequence[Expr], mode: int) -> Expr:
    """Return the stride of a mode, in elements. The tensor is contiguous."""
    return parse_expr(" * ".join(f"({text_of(size)})" for size in sizes[mode + 1 :]) or "1")


def moving(kernel: KernelSpec) -> Callable[[Expr], bool]:
    """Return a test for sizes known only at run time. `require = ["d == 128"]` fixes one."""
    texts = (re.fullmatch(r"\s*(\w+)\s*==\s*\d+\s*", r.condition) for r in kernel.require)
    fixed = {Name(found[1]) for found in texts if found}
    return lambda size: not isinstance(size, Const) and size not in fixed


def given_shapes(
    sizes: Sequence[Expr], count: int, moves: Callable[[Expr], bool]
) -> tuple[int, ...] | None:
    """Return the modes whose sizes a function with `count` of them takes; None: it takes others."""
    some = tuple(n for n, size in enumerate(sizes) if moves(size))
    return next((each for each in (tuple(range(len(sizes))), some) if len(each) == count), None)


def given_strides(
    sizes: Sequence[Expr], count: int, moves: Callable[[Expr], bool]
) -> tuple[int, ...] | None:
    """Return the modes whose strides it takes: all, all but the last, or those not constant."""
    rank = len(sizes)
    some = tuple(n for n in range(rank) if any(map(moves, sizes[n + 1 :])))
    choices = (tuple(range(rank)), tuple(range(rank - 1)), some)
    return next((each for each in choices if len(each) == count), None)
