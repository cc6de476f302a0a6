"""Read a file of `opgen tune`, a JSON table of the best values for a device."""

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
    """Error for a mistake in a file of `opgen tune`. `help` describes the fix.

    `near` is a text in the file that marks the position of the mistake.
    """

    def __init__(self, message: str, help: str = "", near: str = "") -> None:
        super().__init__(message)
        self.help, self.near = help, near


@dataclass(frozen=True)
class TableFile:
    """The content of a file of `opgen tune`. `kernels` maps each `kernel_key` to its entry."""

    source: SourceFile
    device: str
    platform: str
    kernels: Mapping[str, Any]


def file_name(device: str) -> str:
    """Return the file name for a device, such as `nvidia-h100-80gb-hbm3.json`."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-") + ".json"


def read_table(source: SourceFile) -> TableFile:
    """Read a file without checking its entries against the specs. Raises `TableError`."""
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
    """Check that `table` is a dict with exactly the keys `names`; otherwise raise `TableError`."""
    if not isinstance(table, dict):
        raise TableError(f"{label} is no table")
    for name in names:
        if name not in table:
            raise TableError(f"{label} lacks `{name}`")
    for name in table:
        if name not in names:
            raise TableError(f"{label} has an unknown key `{name}`")
