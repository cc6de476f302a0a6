"""Prepare the tuned values of kernels: a C++ struct, tables, and functions that read them."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.abi import entry_symbol
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.ir.tune import Tune, TunedRow
from opgen.language.expr.cpp import element_type, quoted
from opgen.source.frozen import dataclass
from opgen.targets.cpp.cpp_format import aligned, doc
from opgen.targets.cpp.headers import StructView, tune_name
from opgen.targets.cpp.names import cpp_name, member


@dataclass(frozen=True)
class PartView:
    """The rows of a tuned table for one number of threads and one combination of dtypes."""

    name: str
    rows: tuple[str, ...]
    entry: str


@dataclass(frozen=True)
class TableView:
    """The values that `opgen tune` chose on one device, and the file that they come from."""

    name: str
    file: str
    parts: tuple[PartView, ...]
    entry: str


@dataclass(frozen=True)
class TunedView:
    """The tuned values of one kernel, as C++. `symbol` is the variable, `kind` its type, and `made`
    its constructor arguments.
    """

    symbol: str
    struct: StructView
    kind: str
    tables: tuple[TableView, ...]
    made: str
    sizes: str


def tune_of(kernel: Kernel) -> Tune:
    assert kernel.tune is not None
    return kernel.tune


def symbol_of(namespace: str, op: Op, kernel: Kernel) -> str:
    """Return the name of the C++ variable with a kernel's tuned values. The names of the functions
    that read the values start with this name.
    """
    own = f"_{kernel.name}" if kernel.listed else ""
    return f"{entry_symbol(namespace, op, kernel.platform)}{own}_tuned"


def views(project: Project, family: Family, platform: str) -> list[TunedView]:
    """Return the tuned values of a family's kernels for a platform."""
    return [
        view(project, op, kernel)
        for op in family.ops
        for kernel in op.kernels_for(platform)
        if kernel.tune is not None
    ]


def chosen(namespace: str, op: Op, kernel: Kernel, args: str, dtypes: str) -> Iterator[str]:
    """Yield the statement with which an entry looks up the tuned values for a call."""
    sizes = ", ".join(f"{args}desc->{cpp_name(name)}" for name in tune_of(kernel).sizes)
    at = f"{args}ctx->device, {args}ctx->threads, {dtypes}, {{{sizes}}}"
    head = f"const {tune_name(op, kernel)}& tune = {symbol_of(namespace, op, kernel)}"
    yield f"{head}.at({at});"


def dtypes_of(kernel: Kernel) -> str:
    """Return the C++ code that packs the dtypes in `dispatch` into the lookup key."""
    return f"opgen::row({', '.join(map(member, kernel.dispatch))})"


def view(project: Project, op: Op, kernel: Kernel) -> TunedView:
    """Return the tuned values of one kernel, as C++."""
    tune = tune_of(kernel)
    symbol, name = symbol_of(project.namespace, op, kernel), tune_name(op, kernel)
    rows = [
        (f"int64_t {cpp_name(n)};", ", ".join(map(str, values))) for n, values in tune.parameters
    ]
    text = f"The values that `opgen tune` chooses for the {kernel.platform} kernel `{kernel.name}`, and all candidates."
    arguments = f"{name}, {len(tune.sizes)}"
    tables = tuple(_tables(tune))
    of_device = f"opgen::{kernel.platform}_name"
    first = f"{{{', '.join(map(str, tune.first))}}}"
    held = f"{symbol}_of::tables, {len(tables)}" if tables else "nullptr, 0"
    return TunedView(
        symbol=symbol,
        struct=StructView(doc(text), name, tuple(aligned(rows))),
        kind=f"opgen::Tuned<{arguments}>",
        tables=tables,
        made=f"{of_device}, {first}, {held}",
        sizes=", ".join(f"sizes[{n}]" for n in range(len(tune.sizes))),
    )


def _tables(tune: Tune) -> Iterator[TableView]:
    for n, table in enumerate(tune.tables):
        groups: dict[tuple[int, tuple[str, ...]], list[TunedRow]] = {}
        for row in table.rows:
            groups.setdefault((row.threads, row.dtypes), []).append(row)
        parts = tuple(
            PartView(
                f"rows_{n}_{place}",
                tuple(map(_row, rows)),
                f"{{{threads}, {_dtypes(dtypes)}, rows_{n}_{place}, {len(rows)}}},",
            )
            for place, ((threads, dtypes), rows) in enumerate(sorted(groups.items()))
        )
        name = f"parts_{n}"
        held = f"{name}, {len(parts)}" if parts else "nullptr, 0"
        yield TableView(name, table.file, parts, f"{{{quoted(table.device)}, {held}}},")


def _dtypes(dtypes: tuple[str, ...]) -> str:
    return f"opgen::row({', '.join(map(element_type, dtypes))})"


def _row(row: TunedRow) -> str:
    sizes, values = (", ".join(map(str, each)) for each in (row.sizes, row.values))
    return f"{{{{{sizes}}}, {{{values}}}}},"
