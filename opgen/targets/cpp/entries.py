"""Views of the entries: the C functions that pick the instance of a kernel."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.expr import Name
from opgen.expr.cpp import element_type
from opgen.ir import Family, Kernel, Op, Project
from opgen.signatures import entry_symbol
from opgen.targets.cpp.headers import view_name
from opgen.targets.cpp.names import PLATFORMS, cpp_name, struct


@dataclass(frozen=True)
class RowView:
    """One row of a dispatch table: the `case` and the call of the kernel."""

    case: str
    call: str


@dataclass(frozen=True)
class EntryView:
    """The entry of one kernel.

    A kernel with dispatch has `rows`, over `row`; `dtypes` says where the entry learns the
    dtypes. `run` and `run_here` start it, on what the entry was given and on a copy.
    """

    symbol: str
    declaration: str
    args: str
    dispatch: str
    dtypes: tuple[str, ...]
    row: str
    rows: tuple[RowView, ...]
    direct: str
    written: str
    guard: tuple[str, ...]
    grid: bool
    run: str
    run_here: str


def sources(family: Family, platform: str) -> tuple[str, ...]:
    """The hand-written files that a family's kernels for a platform come from."""
    found: dict[str, None] = {}
    for op in family.ops:
        kernel = op.kernel(platform)
        if kernel is not None:
            found.update(dict.fromkeys(kernel.sources))
    return tuple(found)


def entry(project: Project, op: Op, kernel: Kernel) -> EntryView:
    """The C function that picks the instance of a kernel."""
    symbol = entry_symbol(project.namespace, op, kernel.platform)
    written = (*op.written, *(t for t in op.inputs if t.update))
    parameter = f"const {struct(op, 'Args')}*"
    direct = "" if kernel.dispatch else kernel.symbol
    dispatch = f"dispatch_{op.name}"
    rows = []
    for row in kernel.rows if kernel.dispatch else ():
        types = ", ".join(DTYPES[dtype].cpp for dtype in row)
        codes = ", ".join(map(element_type, row))
        call = f"{kernel.platform}::{kernel.symbol}({view_name(op, kernel)}<{types}>(args))"  # fmt: skip
        rows.append(RowView(f"opgen::row({codes})", call))
    return EntryView(
        symbol=symbol,
        declaration=f"opgen::Status {symbol}({parameter}) noexcept",
        args=struct(op, "Args"),
        dispatch=dispatch,
        dtypes=tuple(_dtype_of(op, variable) for variable in kernel.dispatch),
        row=f"opgen::row({', '.join(map(cpp_name, kernel.dispatch))})",
        rows=tuple(rows),
        direct=direct,
        written=", ".join(f"&args->{cpp_name(t.name)}" for t in written),
        guard=PLATFORMS[kernel.platform].guard,
        grid=kernel.platform == "cpu" and bool(kernel.grid),
        run=f"{direct}(args)" if direct else f"{dispatch}(*args)",
        run_here=f"{direct}(&here)" if direct else f"{dispatch}(here)",
    )


def _dtype_of(op: Op, variable: str) -> str:
    """Where an entry reads a dtype variable: the tensors of that dtype, or the descriptor."""
    name = cpp_name(variable)
    carriers = [t for t in op.tensors if t.dtype.plain and t.dtype.only == variable]
    if carriers:
        buffers = ", ".join(f"&args.{cpp_name(t.name)}" for t in carriers)
        return f"const opgen::ElementType {name} = opgen::dtype_of({{{buffers}}});"
    fields = [f for f in op.descriptor.fields if f.value == Name(variable)]
    value = f"static_cast<opgen::ElementType>(args.desc->{cpp_name(fields[0].name)})"
    return f"const opgen::ElementType {name} = {value};"
