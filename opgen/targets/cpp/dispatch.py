"""Prepare the entries of ops, the C functions that run kernels. An entry selects the template
instance for the dtypes of a call.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from opgen.ir.abi import entry_symbol
from opgen.ir.guarantees import ASKED, asked_of
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.language.expr import Expr, Name, is_offsets
from opgen.language.expr.cpp import element_type, quoted
from opgen.source.frozen import dataclass
from opgen.targets.cpp import CPP_TYPES, foreign, tuned
from opgen.targets.cpp.cpp_format import WIDTH, listing
from opgen.targets.cpp.headers import device_view_name, is_launched, tune_name, view_name
from opgen.targets.cpp.kinds import cpp_kind, cpp_kinds
from opgen.targets.cpp.launch import workspace_symbol
from opgen.targets.cpp.names import cpp_name, member, struct
from opgen.targets.cpp.platforms import native_platforms
from opgen.targets.cpp.symbols import possible


@dataclass(frozen=True)
class TableView:
    """The rows (combinations of dtypes) of a dispatch table that use the same code, `body`."""

    rows: str
    body: tuple[str, ...]


@dataclass(frozen=True)
class PartView:
    """The code of an entry for one of its kernels.

    A kernel with dispatch has a function `dispatch`, which looks up a row in `tables`. A row is a
    combination of dtypes. `dtypes` are the statements that read the dtypes, and `number` is the
    code that computes the index of a row. If `by_position` is set, the kernel receives the index of
    its row. `foreign` is the code that declares or launches an existing kernel.
    """

    dispatch: str
    dtypes: tuple[str, ...]
    number: str
    tables: tuple[TableView, ...]
    by_position: bool
    foreign: str


@dataclass(frozen=True)
class EntryView:
    """The entry of an op for one platform: the C function that runs its kernels."""

    # The function, its declaration, and the struct of its arguments.
    symbol: str
    declaration: str
    args: str
    # The code for each kernel.
    parts: tuple[PartView, ...]
    # The kernel functions that take the entry's arguments directly, each with its extra parameter.
    direct: tuple[tuple[str, str], ...]
    # The addresses of the written tensors. A call that writes no element returns immediately.
    written: str
    # The statements that the platform requires at the start of the entry.
    guard: tuple[str, ...]
    # The statements that start each kernel.
    bodies: tuple[tuple[str, ...], ...]
    # The declaration of the function that returns the workspace size, if a kernel has one.
    workspace: str
    # The functions that return the workspace size, each with the index of its kernel.
    workspace_of: tuple[tuple[int, str], ...]
    # The declaration of the list of kernels, the name of its layout hash, and the kernels' names.
    choice: str
    layout: str
    names: str
    # The guarantees of each kernel, then of the reference, if any exist.
    guarantees: str


def sources(family: Family, platform: str) -> tuple[str, ...]:
    """Return the handwritten source files of a family's kernels for a platform."""
    found: dict[str, None] = {}
    for op in family.ops:
        for kernel in op.kernels_for(platform):
            found.update(dict.fromkeys(kernel.sources))
    return tuple(found)


def headers(project: Project, family: Family, platform: str) -> list[str]:
    """Return the headers that only some entries of a platform include."""
    pairs = [(op, kernel) for op in family.ops for kernel in op.kernels_for(platform)]
    found = (
        []
        if host_only(kernel for _, kernel in pairs)
        else list(native_platforms()[platform].headers)
    )
    for kind in cpp_kinds(kernel for _, kernel in pairs):
        found += kind.headers(native_platforms()[platform])
    if any(_on_grid(kernel) for _, kernel in pairs):
        found.append("opgen/grid.h")
    if any(is_launched(op, kernel) for op, kernel in pairs):
        found.append(native_platforms()[platform].start_header)
    return found


def host_only(kernels: Iterable[Kernel]) -> bool:
    """Return whether the driver launches the compiled code of all kernels. If so, the entries do
    not need nvcc or hipcc.
    """
    kinds = [cpp_kind(kernel) for kernel in kernels]
    return all(kind is not None and kind.driven for kind in kinds)


def _conditions(op: Op) -> Iterator[Expr]:
    """Yield the conditions that the spec sets on the elements of inputs."""
    for tensor in op.inputs:
        yield from tensor.values.values()


def entry(project: Project, op: Op, platform: str) -> EntryView:
    """Return the entry of an op for one platform: the C function that runs its kernels."""
    symbol = entry_symbol(project.namespace, op, platform)
    kernels = op.kernels_for(platform)
    # A CPU kernel checks offsets even if no element is to be written.
    checks = platform == "cpu" and any(map(is_offsets, _conditions(op)))
    written = () if checks else (*op.written, *op.updated)
    parameter = f"const {struct(op, 'Args')}*"
    asking = any(kernel.workspace for kernel in kernels)
    return EntryView(
        symbol=symbol,
        declaration=f"opgen::Status {symbol}({parameter}) noexcept",
        args=struct(op, "Args"),
        parts=tuple(_part(project, op, kernel) for kernel in kernels),
        direct=tuple(dict.fromkeys(f for kernel in kernels for f in _functions(op, kernel))),
        written=", ".join(f"&args->{cpp_name(t.name)}" for t in written),
        guard=() if host_only(kernels) else native_platforms()[platform].guard,
        bodies=tuple(tuple(_body(project, op, kernel)) for kernel in kernels),
        workspace=_workspace(op, symbol) if asking else "",
        workspace_of=tuple(
            (n, f"{platform}::{kernel.workspace}")
            for n, kernel in enumerate(kernels)
            if kernel.workspace
        ),
        choice=f"opgen::Kernels<{struct(op, 'Args')}> {symbol}_kernels" if op.listed else "",
        layout=struct(op, "Layout"),
        names=", ".join(quoted(kernel.name) for kernel in kernels),
        guarantees=_guarantees(op, kernels) if op.listed else "",
    )


def _guarantees(op: Op, kernels: Sequence[Kernel]) -> str:
    """Return the bits of the guarantees of each kernel, followed by those of the reference.

    Return "" if no kernel gives a guarantee. The reference counts as deterministic, because
    settings of the framework can make it so.
    """
    kept = asked_of(kernels)
    if not any(kept):
        return ""
    kept.append(ASKED[:1] if op.fallback else ())
    return ", ".join(str(sum(1 << ASKED.index(name) for name in each)) for each in kept)


def _part(project: Project, op: Op, kernel: Kernel) -> PartView:
    kind = cpp_kind(kernel)
    given = kind.declaration(project, op, kernel) if kind is not None else ""
    if kernel.call:
        given = foreign.declaration(op, kernel, foreign.call_of(kernel.call))
    return PartView(
        dispatch=_dispatch(op, kernel),
        dtypes=tuple(_known(project, op, kernel)),
        number=f"opgen::row({', '.join(map(member, kernel.dispatch))})",
        tables=tuple(_tables(op, kernel)) if kernel.dispatch else (),
        by_position=kind is not None,
        foreign=given,
    )


def _known(project: Project, op: Op, kernel: Kernel) -> Iterator[str]:
    """Yield the statements that precede the lookup in a dispatch table. They read the dtypes and
    the tuned values.
    """
    yield from (_dtype_of(op, variable) for variable in kernel.dispatch)
    if kernel.tune is not None and kernel.dispatch:
        dtypes = tuned.dtypes_of(kernel)
        yield from tuned.chosen(project.namespace, op, kernel, "args.", dtypes)


def _dispatch(op: Op, kernel: Kernel) -> str:
    """Return the name of the function that selects the template instance of a kernel."""
    place = f"_{op.kernels_for(kernel.platform).index(kernel)}" if op.listed else ""
    return f"{op.name}_dispatch{place}"


def _functions(op: Op, kernel: Kernel) -> tuple[tuple[str, str], ...]:
    """Return (function, extra parameter) for each function of the kernel that takes the entry's
    arguments directly. The extra parameter is for tuned values, or "" without tuned values.
    """
    if kernel.dispatch or kernel.named:
        return ()
    tune = f", const {tune_name(op, kernel)}*" if kernel.tune is not None else ""
    return tuple((name, tune) for name in dict.fromkeys(map(cpp_name, kernel.symbol.values())))


def _chosen(
    kernel: Kernel, row: tuple[str, ...], calls: Mapping[str, str], ctx: str
) -> Iterator[str]:
    """Yield the statements that call one of a kernel's functions. The case of `symbol` that applies
    to the call selects the function. `calls` maps the name of each function to the code of its
    call.
    """
    *cases, (_, last) = possible(kernel, row)
    for position, symbol in cases:
        yield f"if ({ctx}->symbol == {position}) return {calls[symbol]};"
    yield f"return {calls[last]};"


def _tables(op: Op, kernel: Kernel) -> Iterator[TableView]:
    """Yield the dispatch tables of a kernel. Rows that need different statements are in different
    tables.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    kind = cpp_kind(kernel)
    run = "" if kind is None else f"return {kind.run(op, kernel, 'args', 'row')};"
    calls = {} if run else _instances(op, kernel)
    for row in kernel.rows:
        types = ", ".join(CPP_TYPES[dtype] for dtype in row)
        body = (run,) if run else tuple(_chosen(kernel, row, calls, "args.ctx"))
        found.setdefault(body, []).append(f"opgen::Row<{types}>")
    for body, rows in found.items():
        yield TableView(_table(tuple(rows)), body)


# Kernels of the same dtypes share a table.
@lru_cache(maxsize=256)
def _table(rows: tuple[str, ...]) -> str:
    """Return the C++ type of a dispatch table. A long type has several lines, which break between
    rows.
    """
    one = listing("opgen::Table<", rows, ">")
    if len(one) + len("  using Table = ;") <= WIDTH:
        return one
    whole = ", ".join(row.replace(" ", "\xa0") for row in rows) + ">"
    indent = " " * 6
    lines = textwrap.fill(whole, WIDTH - 1, initial_indent=indent, subsequent_indent=indent)
    return "opgen::Table<\n" + lines.replace("\xa0", " ")


def _instances(op: Op, kernel: Kernel) -> dict[str, str]:
    """Map each function of a kernel to code that calls its template instance for one row."""
    given = "args" if kernel.tune is None else "args, tune"
    view = f"opgen::view<{view_name(op, kernel)}>(row, {given})"
    device = f"opgen::view<{device_view_name(op, kernel)}>(row, {given})"
    calls, start = {}, native_platforms()[kernel.platform].start
    for symbol in kernel.symbol.values():
        name = f"{kernel.platform}::{cpp_name(symbol)}"
        calls[symbol] = f"{name}({view})"
        if is_launched(op, kernel):
            calls[symbol] = listing(f"{start}(", [name, view, device], ")")
    return calls


def _on_grid(kernel: Kernel) -> bool:
    """Return whether the entry runs the kernel in a loop over its grid, as on the CPU."""
    return native_platforms()[kernel.platform].host and bool(kernel.grid)


def _body(project: Project, op: Op, kernel: Kernel) -> Iterator[str]:
    if kernel.call:
        yield from foreign.body(op, kernel, foreign.call_of(kernel.call))
        return
    if not _on_grid(kernel):
        yield from _run(project, op, kernel, "args", "*args")
        return
    yield "return opgen::run_grid(*args->ctx, [args](const opgen::Context& point) {"
    yield f"  {struct(op, 'Args')} here = *args;"
    yield "  here.ctx = &point;"
    yield from (f"  {line}" for line in _run(project, op, kernel, "&here", "here"))
    yield "});"


def _run(project: Project, op: Op, kernel: Kernel, pointer: str, args: str) -> Iterator[str]:
    """Yield the statements that run a kernel. `args` is the code of the arguments, and `pointer` is
    the code of their address.
    """
    if kernel.dispatch:
        yield f"return {_dispatch(op, kernel)}({args});"
        return
    kind = cpp_kind(kernel)
    if kind is not None:
        called: Iterable[str] = [f"return {kind.run(op, kernel, args, '0')};"]
    else:
        given = pointer if kernel.tune is None else f"{pointer}, &tune"
        calls = {symbol: f"{cpp_name(symbol)}({given})" for symbol in kernel.symbol.values()}
        called = _chosen(kernel, (), calls, "args->ctx")
    if kernel.tune is None:
        yield from called
        return
    yield "{"
    for line in (*tuned.chosen(project.namespace, op, kernel, "args->", "0"), *called):
        yield f"  {line}"
    yield "}"


def _workspace(op: Op, entry: str) -> str:
    parameters = [f"const {struct(op, 'Descriptor')}* desc", "opgen::DeviceProperties device"]
    parameters += ["int32_t kernel"] if op.listed else []
    return listing(f"int64_t {workspace_symbol(entry)}(", parameters, ") noexcept")


def _dtype_of(op: Op, variable: str) -> str:
    """Return the statement that reads a dtype variable from its tensors or from the descriptor.

    If none of these tensors is present, the variable has the first of its possible dtypes.
    """
    name = member(variable)
    carriers = [t for t in op.tensors if t.dtype.plain and t.dtype.only == variable]
    known = carriers and (variable not in op.asking or any(t.always for t in carriers))
    fields = [] if known else [f for f in op.descriptor.fields if f.value == Name(variable)]
    if carriers and not fields:
        buffers = ", ".join(f"&args.{cpp_name(t.name)}" for t in carriers)
        first = next((v.choices[0] for v in op.dtypes if v.name == variable and v.free), "f32")
        absent = not any(t.always for t in carriers) and first != "f32"
        otherwise = f", {element_type(first)}" if absent else ""
        return f"const opgen::ElementType {name} = opgen::dtype_of({{{buffers}}}{otherwise});"
    value = f"static_cast<opgen::ElementType>(args.desc->{cpp_name(fields[0].name)})"
    return f"const opgen::ElementType {name} = {value};"
