"""Descriptors: the structs that pass sizes and options to kernels, as bytes."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .attrs import SCALARS
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
            code = FIELDS[base].code
            for index, item in enumerate(items):
                numbers = self._numbers(name, base, item)
                struct.pack_into(code, data, offset + index * struct.calcsize(code), *numbers)
        return bytes(data)

    def unpack(self, data: bytes) -> dict[str, object]:
        """Return the values of a packed descriptor, by name."""
        if len(data) != self.size:
            raise ValueError(f"{self.op}: a descriptor has {self.size} bytes, got {len(data)}")
        values: dict[str, object] = {}
        for name, kind, offset in self.fields:
            base, bracket, count = kind.partition("[")
            length = int(count.removesuffix("]")) if bracket else 1
            field = FIELDS[base]
            stored = data[offset : offset + length * struct.calcsize(field.code)]
            items = tuple(field.join(*each) for each in struct.iter_unpack(field.code, stored))
            values[name] = items if bracket else items[0]
        return values

    def _numbers(self, name: str, kind: str, value: Any) -> tuple[Any, ...]:
        """Return the numbers to store for `value` in a field of type `kind`.

        Raise ValueError if `value` does not fit.
        """
        if kind == "dtype" and value not in DTYPES:
            raise ValueError(f"{self.op}: {name}: expected a dtype by name, got {value!r}")
        if kind in LIMITS:
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
        return FIELDS[kind].split(value)


class Field(NamedTuple):
    """How a type of fields is stored: its format for Python's module `struct`, and the conversions
    of a value to the stored numbers and back.
    """

    code: str
    split: Callable[[Any], tuple[Any, ...]] = lambda value: (value,)
    join: Callable[..., Any] = lambda value: value


NAMES = {dtype.code: name for name, dtype in DTYPES.items()}
FIELDS = {
    "i32": Field("<i"),
    "i64": Field("<q"),
    "f32": Field("<f"),
    "f64": Field("<d"),
    "c128": Field("<dd", SCALARS["complex"].encoded, complex),
    "bool": Field("<?"),
    "dtype": Field("<i", lambda name: (DTYPES[name].code,), NAMES.__getitem__),
}
LIMITS = {"i32": (-(2**31), 2**31 - 1), "i64": (-(2**63), 2**63 - 1)}
F32_MAX = 3.4028234663852886e38
