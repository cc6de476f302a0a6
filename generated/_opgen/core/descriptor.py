"""Descriptors: the structs that pass sizes and options to kernels, as bytes."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Sequence
from typing import Any

from .dtypes import DTYPES


class Descriptor:
    """The layout of a descriptor: (name, type, offset in bytes) of each field."""

    def __init__(self, op: str, size: int, fields: Sequence[tuple[str, str, int]]) -> None:
        self.op, self.size, self.fields = op, size, fields

    def pack(self, *values: Any) -> bytes:
        """Return the bytes of one descriptor. `values` has one value for each field, in order.

        Padding bytes are zero.
        """
        data = bytearray(self.size)
        for (name, kind, offset), value in zip(self.fields, values):
            base, bracket, count = kind.partition("[")
            length = int(count.removesuffix("]")) if bracket else 1
            items = list(value) if bracket else [value]
            if len(items) > length:
                raise ValueError(
                    f"{self.op}: {name}: at most {length} values fit {kind}, got {len(items)}"
                )
            step = struct.calcsize(CODES[base])
            for index, item in enumerate(items):
                code = self._code(name, base, item)
                parts = (code.real, code.imag) if base == "c128" else (code,)
                struct.pack_into("<" + CODES[base], data, offset + index * step, *parts)
        return bytes(data)

    def unpack(self, data: bytes) -> dict[str, object]:
        """Return the values of a packed descriptor, by name."""
        if len(data) != self.size:
            raise ValueError(f"{self.op}: a descriptor has {self.size} bytes, got {len(data)}")
        values: dict[str, object] = {}
        names = {dtype.code: name for name, dtype in DTYPES.items()}
        for name, kind, offset in self.fields:
            base, bracket, count = kind.partition("[")
            length = int(count.removesuffix("]")) if bracket else 1
            items = struct.unpack_from("<" + CODES[base] * length, data, offset)
            if base == "c128":
                items = tuple(map(complex, items[::2], items[1::2]))
            if base == "dtype":
                items = tuple(names[item] for item in items)
            values[name] = items if bracket else items[0]
        return values

    def _code(self, name: str, kind: str, value: Any) -> Any:
        """Return the number to store for `value` in a field of type `kind`: for a dtype, its code.

        Raise ValueError if `value` does not fit.
        """
        if kind == "dtype":
            if value not in DTYPES:
                raise ValueError(f"{self.op}: {name}: expected a dtype by name, got {value!r}")
            return DTYPES[value].code
        if kind in ("i32", "i64"):
            low, high = LIMITS[kind]
            if not low <= operator.index(value) <= high:
                raise ValueError(
                    f"{self.op}: {name}: {value} does not fit {kind}, "
                    f"whose limits are {low} and {high}"
                )
        if kind == "f32" and math.isfinite(value) and abs(value) > F32_MAX:
            raise ValueError(
                f"{self.op}: {name}: {value} does not fit f32, whose limit is {F32_MAX}"
            )
        return value


# The format characters of field types for Python's module `struct`.
CODES = {
    "i32": "i",
    "i64": "q",
    "f32": "f",
    "f64": "d",
    "c128": "dd",
    "bool": "?",
    "dtype": "i",
}
LIMITS = {"i32": (-(2**31), 2**31 - 1), "i64": (-(2**63), 2**63 - 1)}
F32_MAX = 3.4028234663852886e38
