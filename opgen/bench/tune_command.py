"""`opgen tune`: measure the tuning values of kernels, and write the device's tuning table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.bench.command import frameworks_of, process, threads_of
from opgen.bench.errors import BenchError
from opgen.bench.selection import select
from opgen.compiler.discovery import shown
from opgen.compiler.tuned_tables import kernel_key, tuned_kernels
from opgen.ir.project import Project
from opgen.source.atomic import put
from opgen.source.frozen import dataclass
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.tuned import FORMAT, TableError, file_name, read_table


@dataclass(frozen=True)
class Options:
    """The user's options. If `threads` is None, every available CPU is used.

    Each item of `dims` maps dims and groups to sizes. If `dims` is not empty, `sizes` is ignored.
    """

    ops: Sequence[str]
    sizes: Sequence[tuple[int, int]]
    dtypes: Sequence[str]
    device: str
    frameworks: Sequence[str] = ()
    threads: int | None = None
    dims: Sequence[Sequence[tuple[str, object]]] = ()


def tune(
    options: Options,
    project: Project,
    config: Config,
    specs: Sequence[Path],
    say: Callable[[str], None],
) -> int:
    """Measure the kernels, print the best tuning values, and write the tuning table.

    Raises `BenchError` if nothing can be measured, or if the device has no name.
    """
    ops = _ops(options, project, config, say)
    job = {
        "framework": frameworks_of(options.frameworks, config)[0],
        "device": options.device,
        "threads": threads_of(options.threads, config),
        "ops": ops,
        "sizes": list(options.sizes),
        "dtypes": list(options.dtypes),
        "specs": [str(path.absolute()) for path in specs],
        "dims": list(options.dims),
        "tunes": True,
    }
    rows: dict[str, list[dict[str, Any]]] = {}
    device = ""
    for found in process(job, config):
        device = found["device"]
        rows.setdefault(found["key"], []).append(found["row"])
        print(f"{found['label']}: {_said(found['row'])}", flush=True)
    if not rows:
        raise BenchError("nothing was measured")
    if not device:
        raise BenchError("this device has no name, by which a table could be found again")
    signatures = {
        kernel_key(op, kernel): tune.signature
        for op in project.ops
        for kernel, tune in tuned_kernels(op, options.device)
    }
    path = config.tables_dir / file_name(device)
    kernels = {**_kept(path, device, options.device, say)}
    for key, new in rows.items():
        kernels[key] = entry_of(signatures[key], new, kernels.get(key))
    put(path, table_text(device, options.device, kernels))
    say(f"{shown(path)} is written; `opgen render` and `opgen build` put it into the libraries")
    return 0


def _ops(
    options: Options, project: Project, config: Config, say: Callable[[str], None]
) -> list[str]:
    """Return the ops to measure: the named ops, or all ops that have tuning values."""
    able = [op.name for op in project.ops if any(tuned_kernels(op, options.device))]
    for name in options.ops:
        if name in {op.name for op in project.ops} and name not in able:
            raise BenchError(f"no kernel of `{name}` for {options.device} has `tune` in its spec")
    if not able:
        raise BenchError(f"no kernel for {options.device} has `tune` in its spec")
    return select(project, options.ops or able, options.device, Path(config.kernels), say)


def _said(row: Mapping[str, Any]) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in row["values"].items())
    if row["us"] == row["default_us"]:
        return f"{values}, the default: {row['us']} us"
    return f"{values}: {row['us']} us, {row['us'] / row['default_us']:.2f} of the default's"


def _kept(path: Path, device: str, platform: str, say: Callable[[str], None]) -> Mapping[str, Any]:
    """Return the device's tuning table, or an empty table if the file is missing or damaged."""
    if not path.exists():
        return {}
    try:
        table = read_table(SourceFile.read(path))
    except TableError as error:
        say(f"{shown(path)} is written anew: {error}")
        return {}
    return table.kernels if (table.device, table.platform) == (device, platform) else {}


def entry_of(signature: str, rows: list[dict[str, Any]], before: Any) -> dict[str, Any]:
    """Return a kernel's entry in the tuning table: new rows, and old rows for other calls."""

    def calls(row: Mapping[str, Any]) -> tuple[object, ...]:
        return row["threads"], tuple(row["dtypes"].items()), tuple(row["sizes"].items())

    kept: list[dict[str, Any]] = []
    if isinstance(before, dict) and before.get("signature") == signature:
        measured = set(map(calls, rows))
        kept = [row for row in before["rows"] if calls(row) not in measured]
    return {"signature": signature, "rows": sorted([*kept, *rows], key=lambda r: repr(calls(r)))}


def table_text(device: str, platform: str, kernels: Mapping[str, Any]) -> str:
    """Return a tuning table as JSON text, with a line for each row."""
    return "\n".join(_lines(device, platform, kernels)) + "\n"


def _lines(device: str, platform: str, kernels: Mapping[str, Any]) -> Iterator[str]:
    yield "{"
    yield f'  "format": {FORMAT},'
    yield f'  "device": {json.dumps(device)},'
    yield f'  "platform": {json.dumps(platform)},'
    yield '  "kernels": {'
    for n, (key, entry) in enumerate(sorted(kernels.items()), 1):
        yield f"    {json.dumps(key)}: {{"
        yield f'      "signature": {json.dumps(entry["signature"])},'
        yield '      "rows": ['
        lines = [f"        {json.dumps(row)}" for row in entry["rows"]]
        yield from (f"{line}," for line in lines[:-1])
        yield from lines[-1:]
        yield "      ]"
        yield "    }," if n < len(kernels) else "    }"
    yield "  }"
    yield "}"
