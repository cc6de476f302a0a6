"""Read and write replay files. Each holds one call of an op: tensors, attrs and the error found.

A file starts with a line that names the format. A JSON header follows, after its length. Then come
the bytes of all tensors, and the SHA-256 of everything before it.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = b"opgen replay 1\n"
SUFFIX = ".replay"
LIMIT = 1 << 24  # bytes of a header


class ReplayError(Exception):
    """Raised if a file cannot be written or read. The message is the reason in one sentence."""


@dataclass(frozen=True)
class Stored:
    """A tensor: its bytes in row-major order, and its layout in memory.

    `strides` are in elements. `address` is the address of the first element, modulo 256. Both
    fields are None if the framework does not report them.
    """

    dtype: str
    shape: tuple[int, ...]
    data: np.ndarray  # of bytes
    strides: tuple[int, ...] | None = None
    address: int | None = None


# An argument or result: a tensor, a list of tensors, or None.
Value = Stored | list[Stored] | None


@dataclass(frozen=True)
class Record:
    """One call of an op: its platform, its arguments and the error found."""

    # The package, and the hash of its struct layouts.
    package: str
    layout: str
    # The op, the framework and the platform of the call.
    op: str
    framework: str
    platform: str
    # The arguments.
    inputs: Mapping[str, Value]
    attrs: Mapping[str, Any]
    wanted: tuple[str, ...] | None = None  # names of requested results
    # A description of the error found.
    finding: str = ""
    # The versions of the software that ran.
    versions: Mapping[str, str] = field(default_factory=dict)
    # The text of the op's spec.
    spec: str = ""


def nbytes(record: Record) -> int:
    """Return the number of bytes in the tensors of a call."""
    return sum(each.data.nbytes for _, each in _tensors(record.inputs))


def _tensors(inputs: Mapping[str, Value]) -> Iterator[tuple[str, Stored]]:
    for name, value in inputs.items():
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                yield name, each


def write(folder: Path, name: str, record: Record, *, files: int, limit: int) -> Path:
    """Write `record` atomically to a new file in `folder`, and return the path.

    The folder never holds more than `files` such files, and their total size never exceeds `limit`
    bytes. Raises ReplayError, or OSError for a disk error.
    """
    present = [p.stat().st_size for p in folder.glob(f"*{SUFFIX}")]
    header = json.dumps(_header(record)).encode()
    size = len(FORMAT) + 8 + len(header) + nbytes(record) + hashlib.sha256().digest_size
    if len(present) >= files:
        raise ReplayError(f"{folder} holds {len(present)} files already (OPGEN_SHADOW_FILES)")
    if sum(present) + size > limit:
        raise ReplayError(
            f"it has {size:,} bytes, {sum(present):,} are in {folder} already, and "
            f"{limit:,} are allowed (OPGEN_SHADOW_BYTES)"
        )
    taken = {p.name for p in folder.iterdir()}
    number = 0
    while f"{name}-{number}{SUFFIX}" in taken:
        number += 1
    path = folder / f"{name}-{number}{SUFFIX}"
    part = path.with_suffix(".part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(part, flags, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            digest = hashlib.sha256()
            for piece in (FORMAT, struct.pack("<Q", len(header)), header):
                digest.update(piece)
                file.write(piece)
            for _, each in _tensors(record.inputs):
                digest.update(each.data.data)
                file.write(each.data.data)
            file.write(digest.digest())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path


def read(path: Path) -> Record:
    """Return the call in a replay file. Raises ReplayError if the file has another format or is
    damaged.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ReplayError(f"{path} is not a file")
        data = path.read_bytes()
    except OSError as error:
        raise ReplayError(f"{path}: {error.strerror or error}") from None
    start = len(FORMAT) + 8
    if not data.startswith(FORMAT):
        kind = "of another version of opgen" if data.startswith(b"opgen replay ") else "none"
        raise ReplayError(f"{path} is no replay file of this version: it is {kind}")
    if len(data) < start + 32 or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise ReplayError(f"{path} was cut short or changed: its checksum does not fit")
    (length,) = struct.unpack("<Q", data[len(FORMAT) : start])
    try:
        if length > LIMIT:
            raise ValueError("a header of this length")
        header = json.loads(data[start : start + length])
        return _record(header, memoryview(data)[start + length : -32])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReplayError(f"{path} does not hold a call: {error}") from None


def _header(record: Record) -> dict[str, Any]:
    found = {k: v for k, v in vars(record).items() if k not in ("inputs", "attrs")}
    found["attrs"] = {name: _to_json(value) for name, value in record.attrs.items()}
    found["inputs"] = {
        name: [*map(_described, value)] if isinstance(value, list) else value and _described(value)
        for name, value in record.inputs.items()
    }
    return found


def _described(tensor: Stored) -> dict[str, Any]:
    found = {k: v for k, v in vars(tensor).items() if k != "data"}
    return {**found, "bytes": tensor.data.nbytes}


def _record(header: dict[str, Any], data: memoryview) -> Record:
    place = 0

    def stored(given: dict[str, Any]) -> Stored:
        nonlocal place
        size, shape = int(given["bytes"]), tuple(map(int, given["shape"]))
        if size < 0 or place + size > len(data) or any(n < 0 for n in shape):
            raise ValueError("tensors of other sizes")
        piece = np.frombuffer(data[place : place + size], np.uint8).copy()
        place += size
        strides = given["strides"]
        strides = None if strides is None else tuple(map(int, strides))
        return Stored(str(given["dtype"]), shape, piece, strides, given["address"])

    def value(given: Any) -> Value:
        if isinstance(given, list):
            return [stored(each) for each in given]
        return None if given is None else stored(given)

    inputs = {str(name): value(given) for name, given in header.pop("inputs").items()}
    attrs = {str(name): _from_json(v) for name, v in header.pop("attrs").items()}
    wanted = header.pop("wanted")
    return Record(
        **header, inputs=inputs, attrs=attrs, wanted=None if wanted is None else tuple(wanted)
    )


def _to_json(value: Any) -> Any:
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    return [*map(_to_json, value)] if isinstance(value, (list, tuple)) else value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return complex(*value["complex"])
    return tuple(map(_from_json, value)) if isinstance(value, list) else value
