"""A benchmark run as a JSON file: the machine, its speed, and a row for each measurement."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

from opgen.bench.errors import BenchError
from opgen.bench.probe import cpu
from opgen.bench.rows import Row, from_json, to_json

PACKAGES = ("torch", "jax", "jaxlib", "apache-tvm-ffi", "numpy")


def machine() -> dict[str, object]:
    """Return the properties of the machine that affect measured times."""
    return {
        "processor": cpu(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def text(rows: Sequence[Row], here: Mapping[str, object]) -> str:
    """Return a benchmark run as JSON text. `here` describes the machine."""
    whole = {"machine": here, "rates": rates(rows), "rows": list(map(to_json, rows))}
    return json.dumps(whole, indent=1) + "\n"


def read(path: Path, here: Mapping[str, object]) -> list[Row]:
    """Return the rows of an earlier benchmark run.

    Raises `BenchError` if the file is not from `opgen bench` or has another processor model.
    """
    try:
        data = json.loads(path.read_text())
        there, rows = data["machine"]["processor"], list(map(from_json, data["rows"]))
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BenchError(f"{path} was not written by `opgen bench --json`") from error
    if there != here["processor"]:
        raise BenchError(
            f"{path} was measured on another processor: {there}, here it is {here['processor']}"
        )
    return rows


def rates(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return the rates of each device, such as bytes per second: medians over its rows."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        for name, spread in row.rates.items():
            found.setdefault(row.device, {}).setdefault(name, []).append(spread.median)
    return {d: {n: median(v) for n, v in each.items()} for d, each in found.items()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
