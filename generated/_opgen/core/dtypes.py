"""The element types of the spec language.

The linter, every target, the packages and the C++ headers read this one table. opgen renders
`runtime/include/opgen/element_types.h` from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["float", "int", "uint", "bool", "complex"]


@dataclass(frozen=True, slots=True)
class DType:
    """One element type.

    `code` represents the type in descriptors (`opgen::ElementType`). `bits` is the size of an
    element, and `numpy` is the type's name in NumPy or ml_dtypes.
    """

    name: str
    code: int
    bits: int
    kind: Kind
    numpy: str

    @property
    def xla(self) -> str:
        """Return the name of the type in XLA, such as `S32` or `BF16`."""
        initial = {"int": "S", "uint": "U", "complex": "C"}.get(self.kind)
        if self.kind == "bool":
            return "PRED"
        if initial:
            return f"{initial}{self.bits}"
        return self.numpy.upper().replace("FLOAT", "F").replace("_", "")

    @property
    def torch(self) -> str:
        """Return the name of the type in PyTorch.

        A tensor of `float4_e2m1fn_x2` has two values in each byte, and its shape counts bytes.
        """
        return "float4_e2m1fn_x2" if self.name == "f4e2m1" else self.numpy

    @property
    def floating(self) -> bool:
        """Return whether tensors of this type can have a gradient."""
        return self.kind in ("float", "complex")


# Codes are part of every packed descriptor. Append new codes, and never renumber.
DTYPES: dict[str, DType] = {
    row[0]: DType(*row)
    for row in (
        ("bf16", 0, 16, "float", "bfloat16"),
        ("f16", 1, 16, "float", "float16"),
        ("f32", 2, 32, "float", "float32"),
        ("f64", 3, 64, "float", "float64"),
        ("i8", 4, 8, "int", "int8"),
        ("i16", 5, 16, "int", "int16"),
        ("i32", 6, 32, "int", "int32"),
        ("i64", 7, 64, "int", "int64"),
        ("u8", 8, 8, "uint", "uint8"),
        ("u16", 9, 16, "uint", "uint16"),
        ("u32", 10, 32, "uint", "uint32"),
        ("u64", 11, 64, "uint", "uint64"),
        ("bool", 12, 8, "bool", "bool"),
        ("f8e4m3", 13, 8, "float", "float8_e4m3fn"),
        ("f8e5m2", 14, 8, "float", "float8_e5m2"),
        ("f8e4m3fnuz", 15, 8, "float", "float8_e4m3fnuz"),
        ("f8e5m2fnuz", 16, 8, "float", "float8_e5m2fnuz"),
        ("f8e8m0", 17, 8, "float", "float8_e8m0fnu"),
        ("f4e2m1", 18, 4, "float", "float4_e2m1fn"),
        ("c64", 19, 64, "complex", "complex64"),
        ("c128", 20, 128, "complex", "complex128"),
        ("i4", 21, 4, "int", "int4"),
        ("u4", 22, 4, "uint", "uint4"),
    )
}


def accum(dtype: str) -> str:
    """Return the type in which values of `dtype` are summed.

    This is f32 for narrower floats, i64 for integers and bools, and u64 for unsigned integers.
    Other types are unchanged.
    """
    info = DTYPES[dtype]
    if info.kind == "float":
        return "f32" if info.bits < 32 else dtype
    if info.kind in ("int", "bool"):
        return "i64"
    return "u64" if info.kind == "uint" else dtype


_RANK = {"bool": 0, "uint": 1, "int": 2, "float": 3, "complex": 4}


def promote(a: str, b: str) -> str:
    """Return the result type of an operation on operands of types `a` and `b`.

    For two types of one kind, this is the wider type, or f32 for bf16 and f16. For two kinds, the
    result has the kind that is later in this list: bool, unsigned, signed, float, complex. A signed
    result is wide enough for values of the unsigned type, up to 64 bits.
    """
    if a == b:
        return a
    x, y = sorted((DTYPES[a], DTYPES[b]), key=lambda d: (_RANK[d.kind], d.bits))
    if x.kind == y.kind:
        return "f32" if x.bits == y.bits else y.name
    if (x.kind, y.kind) == ("uint", "int"):
        return f"i{min(64, max(y.bits, 2 * x.bits))}"
    if y.kind == "complex" and x.kind == "float" and x.bits > y.bits // 2:
        return "c128"
    return y.name


def real(dtype: str) -> str:
    """Return the type of the real part: f32 for c64, f64 for c128, and otherwise `dtype` itself."""
    return {"c64": "f32", "c128": "f64"}.get(dtype, dtype)
