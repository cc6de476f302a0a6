"""The arguments of an XLA FFI handler, in the layout of XLA's header `c_api.h`."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np

EXECUTE = 3  # the stage in which handlers are executed
SCALAR, ARRAY, STRING = 3, 1, 4  # kinds of attributes
# XLA's element types, by their names in specs.
TYPES = {
    1: "bool",
    2: "i8",
    3: "i16",
    4: "i32",
    5: "i64",
    6: "u8",
    7: "u16",
    8: "u32",
    9: "u64",
    10: "f16",
    11: "f32",
    12: "f64",
    15: "c64",
    16: "bf16",
    18: "c128",
    19: "f8e5m2",
    20: "f8e4m3",
    24: "f8e5m2fnuz",
    25: "f8e4m3fnuz",
    33: "f8e8m0",
}


class Buffer(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("dtype", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
    ]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.dims[: self.rank])


class Span(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    @property
    def text(self) -> str:
        return ctypes.string_at(self.data, self.size).decode() if self.size else ""


class Scalar(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("value", ctypes.c_void_p)]


class Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("size", ctypes.c_size_t), ("data", ctypes.c_void_p)]


class Buffers(ctypes.Structure):
    """The C structs `XLA_FFI_Args` and `XLA_FFI_Rets`."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("types", ctypes.c_void_p),
        ("items", ctypes.POINTER(ctypes.POINTER(Buffer))),
    ]

    def __iter__(self) -> Iterator[Buffer]:
        return (self.items[n].contents for n in range(self.size))


class Attributes(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("types", ctypes.POINTER(ctypes.c_int)),
        ("names", ctypes.POINTER(ctypes.POINTER(Span))),
        ("items", ctypes.POINTER(ctypes.c_void_p)),
    ]

    def values(self, numpy_type: Any) -> dict[str, Any]:
        """Return all values by name. They are numbers, tuples of numbers, or strings."""
        found: dict[str, Any] = {}
        for n in range(self.size):
            name, kind, at = self.names[n].contents.text, self.types[n], self.items[n]
            if kind == SCALAR:
                scalar = Scalar.from_address(at)
                found[name] = _numbers(scalar.value, 1, numpy_type(scalar.dtype))[0]
            elif kind == ARRAY:
                array = Array.from_address(at)
                found[name] = _numbers(array.data, array.size, numpy_type(array.dtype))
            elif kind == STRING:
                found[name] = Span.from_address(at).text
            else:
                raise TypeError(f"an attribute of kind {kind}: {name}")
        return found


def _numbers(at: int, count: int, dtype: np.dtype) -> tuple[Any, ...]:
    data = ctypes.string_at(at, count * dtype.itemsize) if count else b""
    return tuple(np.frombuffer(data, dtype).tolist())


class Frame(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("api", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("stage", ctypes.c_int),
        ("args", Buffers),
        ("rets", Buffers),
        ("attrs", Attributes),
    ]

    @property
    def runs(self) -> bool:
        """Return whether the frame has the layout that this module defines, and requests an
        execution.
        """
        if self.extension or self.stage != EXECUTE:
            return False
        sizes = self.args.struct_size, self.rets.struct_size, self.attrs.struct_size
        return sizes == tuple(map(ctypes.sizeof, (Buffers, Buffers, Attributes)))


HANDLER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Frame))
