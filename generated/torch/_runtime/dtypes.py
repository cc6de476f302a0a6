"""The names of dtypes, in specs and in PyTorch. Rendered by opgen."""

import torch

TORCH_NAMES = {
    "bf16": "bfloat16",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "bool": "bool",
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0": "float8_e8m0fnu",
    "f4e2m1": "float4_e2m1fn_x2",
    "c64": "complex64",
    "c128": "complex128",
    "i4": "int4",
    "u4": "uint4",
}
DTYPES: dict[str, torch.dtype] = {name: getattr(torch, its) for name, its in TORCH_NAMES.items()}
NAMES: dict[object, str] = {dtype: name for name, dtype in DTYPES.items()}
