"""Triton's names for dtypes, and the types of numeric arguments in a launch."""

from __future__ import annotations

# Triton's dtype names. Triton does not support other dtypes.
DTYPES = {
    "bf16": "bf16",
    "f16": "fp16",
    "f32": "fp32",
    "f64": "fp64",
    "i8": "i8",
    "i16": "i16",
    "i32": "i32",
    "i64": "i64",
    "u8": "u8",
    "u16": "u16",
    "u32": "u32",
    "u64": "u64",
    "bool": "i1",
    "f8e4m3": "fp8e4nv",
    "f8e5m2": "fp8e5",
}
# Types of descriptor fields in Triton and in C++. In Triton a float has 32 bits.
PASSED = {
    "i32": ("i32", "int32_t"),
    "i64": ("i64", "int64_t"),
    "f32": ("fp32", "float"),
    "f64": ("fp32", "float"),
    "bool": ("i1", "bool"),
}
