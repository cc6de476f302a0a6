"""Read a table of `opgen tune`: JSON, not yet checked against the specs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.source.frozen import dataclass
from opgen.source.source_file import SourceFile

FORMAT = 1
KEYS = ("format", "device", "platform", "kernels")


class TableError(Exception):
    """Error for a mistake in a table, with its fix in `help`.

    `near` is a text that occurs in the table at the mistake.
    """

    def __init__(self, message: str, help: str = "", near: str = "") -> None:
        super().__init__(message)
        self.help, self.near = help, near


@dataclass(frozen=True)
class TableFile:
    """A table as written in its file; `kernels` maps each `kernel_key` to its entry."""

    source: SourceFile
    device: str
    platform: str
    kernels: Mapping[str, Any]


def file_name(device: str) -> str:
    """Return the name of a device's table: `nvidia-h100-80gb-hbm3.json`."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-") + ".json"


def read_table(source: SourceFile) -> TableFile:
    """Read a table without checking its rows. Raises `TableError`."""
    if source.problem is not None:
        raise TableError(source.problem.message)
    again = "run `opgen tune` on the device again"
    try:
        table = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise TableError(f"the table is not JSON: {error}", again) from None
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise TableError(f"this is no table of format {FORMAT}, which this opgen reads", again)
    check_keys(table, KEYS, "the table")
    device, platform, kernels = table["device"], table["platform"], table["kernels"]
    if not (isinstance(device, str) and isinstance(platform, str) and isinstance(kernels, dict)):
        raise TableError("`device` and `platform` are strings, `kernels` is a table", again)
    wanted = file_name(device)
    if Path(source.path).name != wanted:
        raise TableError(f"the table is of the device `{device}`", f"call the file {wanted}")
    return TableFile(source, device, platform, kernels)


def check_keys(table: Any, names: Sequence[str], label: str) -> None:
    """Check that a value is a table of exactly these keys. Raises `TableError`."""
    if not isinstance(table, dict):
        raise TableError(f"{label} is no table")
    for name in names:
        if name not in table:
            raise TableError(f"{label} lacks `{name}`")
    for name in table:
        if name not in names:
            raise TableError(f"{label} has an unknown key `{name}`")
