"""The tables of `opgen tune`: one file `tuned/<device>.json` for each device of a project.

For each tuned kernel, a table has a list of rows, and a hash that identifies the tuned parameters.
A row has the thread count, dtypes and sizes of calls, and the values chosen for them. It also has
the times with the default values and with the chosen values. Rendering rejects a table that does
not fit the specs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from opgen.compiler.discovery import shown
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.ir.tune import Tune, TunedRow, TunedTable, by_preference
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.parse_rules import BAD_TABLE
from opgen.source.source_file import SourceFile
from opgen.spec.tuned import TableError, TableFile, check_keys, read_table

ENTRY_KEYS = ("signature", "rows")
ROW_KEYS = ("threads", "dtypes", "sizes", "values", "default_us", "us")
I64 = 2**63


def kernel_key(op: Op, kernel: Kernel) -> str:
    """Return a kernel's key in tables: `op`, or `op.kernel` if the op has a list of kernels."""
    return f"{op.name}.{kernel.name}" if kernel.listed else op.name


def tuned_kernels(op: Op, platform: str) -> Iterator[tuple[Kernel, Tune]]:
    """Yield the kernels of an op for `platform` that have tunable values, with these values."""
    for kernel in op.kernels_for(platform):
        if kernel.tune is not None:
            yield kernel, kernel.tune


def read_tables(
    paths: Sequence[Path], sources: dict[str, SourceFile]
) -> tuple[list[TableFile], list[Diagnostic]]:
    """Return the valid tables at `paths`, and a finding for each invalid one.

    Files of invalid tables are added to `sources`.
    """
    files, found = [], []
    for path in paths:
        source = SourceFile.read(shown(path))
        try:
            files.append(read_table(source))
        except TableError as error:
            found.append(_finding(source, error))
            sources[source.path] = source
    return files, found


def with_tables(
    project: Project, files: Sequence[TableFile], sources: dict[str, SourceFile]
) -> tuple[Project, list[Diagnostic]]:
    """Return the project with the tuned values of the tables, and the mistakes in the tables."""
    found: list[Diagnostic] = []
    tables: dict[tuple[str, str], list[TunedTable]] = {}
    for file in files:
        for op in project.ops:
            for kernel, tune in tuned_kernels(op, file.platform):
                key = kernel_key(op, kernel)
                if key not in file.kernels:
                    continue
                try:
                    table = read_entry(file, key, kernel, tune)
                except TableError as error:
                    found.append(_finding(file.source, error))
                    sources[file.source.path] = file.source
                else:
                    tables.setdefault((key, file.platform), []).append(table)
    return _with(project, tables) if tables else project, found


def unknown_kernels(
    known: Mapping[str, Sequence[str]], files: Sequence[TableFile], sources: dict[str, SourceFile]
) -> list[Diagnostic]:
    """Return findings for table entries that are not in `known`, the valid keys by platform."""
    found = []
    for file in files:
        names = known.get(file.platform, ())
        for key in file.kernels:
            if key not in names:
                message = f"no kernel `{key}` for {file.platform} is tuned in this project"
                help = did_you_mean(key, names) or "take it out of the table"
                found.append(_finding(file.source, TableError(message, help, f'"{key}"')))
                sources[file.source.path] = file.source
    return found


def keys_of(ops: Iterable[Op]) -> dict[str, list[str]]:
    """Return the valid keys of table entries, by platform."""
    found: dict[str, list[str]] = {}
    for op in ops:
        for kernel in op.kernels:
            if kernel.tune is not None:
                found.setdefault(kernel.platform, []).append(kernel_key(op, kernel))
    return found


def read_entry(file: TableFile, key: str, kernel: Kernel, tune: Tune) -> TunedTable:
    """Return the entry `key` of a table, which belongs to `kernel`. Raises `TableError`."""
    near = f'"{key}"'
    entry = file.kernels[key]
    again = f"run `opgen tune {key.partition('.')[0]}` on that device, or take it out of the table"
    try:
        check_keys(entry, ENTRY_KEYS, f"`{key}`")
        if entry["signature"] != tune.signature:
            message = f"`{key}` was measured with other values, sizes or dtypes than its spec has"
            raise TableError(message)
        if not isinstance(entry["rows"], list):
            raise TableError(f"`rows` of `{key}` is no list")
        rows = [
            _row(item, f"row {n} of `{key}`", kernel, tune)
            for n, item in enumerate(entry["rows"], 1)
        ]
        places = [(row.threads, row.dtypes, row.sizes) for row in rows]
        if len({*places}) < len(places):
            raise TableError(f"`{key}` has two rows for the same calls")
    except TableError as error:
        raise TableError(str(error), error.help or again, near) from None
    return TunedTable(Path(file.source.path).name, file.device, by_preference(rows, tune.first))


def _row(item: Any, label: str, kernel: Kernel, tune: Tune) -> TunedRow:
    check_keys(item, ROW_KEYS, label)
    check_keys(item["dtypes"], tune.dtypes, f"`dtypes` of {label}")
    check_keys(item["sizes"], tune.sizes, f"`sizes` of {label}")
    check_keys(item["values"], tune.names, f"`values` of {label}")
    dtypes = tuple(item["dtypes"][name] for name in tune.dtypes)
    if dtypes not in kernel.rows:
        raise TableError(
            f"{label} is for {', '.join(map(str, dtypes))}, which the kernel does not take"
        )
    sizes = tuple(item["sizes"][name] for name in tune.sizes)
    for size in (item["threads"], *sizes):
        if type(size) is not int or not 0 <= size < I64:
            raise TableError(f"{label} has {size!r} for a number of threads or a size")
    values = tuple(item["values"][name] for name in tune.names)
    for (name, choices), value in zip(tune.parameters, values):
        if type(value) is not int or value not in choices:
            raise TableError(
                f"{label} has {value!r} for `{name}`, which is none of {', '.join(map(str, choices))}"
            )
    return TunedRow(item["threads"], dtypes, sizes, values)


def _with(project: Project, tables: Mapping[tuple[str, str], list[TunedTable]]) -> Project:
    def kernel(op: Op, each: Kernel) -> Kernel:
        found = tables.get((kernel_key(op, each), each.platform))
        if each.tune is None or not found:
            return each
        return replace(each, tune=replace(each.tune, tables=tuple(found)))

    families = tuple(
        replace(
            family,
            ops=tuple(
                replace(op, kernels=tuple(kernel(op, each) for each in op.kernels))
                for op in family.ops
            ),
        )
        for family in project.families
    )
    return replace(project, families=families)


def _finding(source: SourceFile, error: TableError) -> Diagnostic:
    at = max(0, source.text.find(error.near)) if error.near else 0
    where = Where(source.path, absolute=True, start=at, end=at + len(error.near))
    return BAD_TABLE.at(where, str(error), error.help)
