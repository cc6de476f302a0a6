"""The names of dtypes, in specs and in PyTorch. Rendered by opgen."""

import torch

NAMES = {
    torch.bfloat16: "bf16",
    torch.float16: "f16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "u8",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
    torch.bool: "bool",
    torch.float8_e4m3fn: "f8e4m3",
    torch.float8_e5m2: "f8e5m2",
    torch.float8_e4m3fnuz: "f8e4m3fnuz",
    torch.float8_e5m2fnuz: "f8e5m2fnuz",
    torch.float8_e8m0fnu: "f8e8m0",
    torch.float4_e2m1fn_x2: "f4e2m1",
    torch.complex64: "c64",
    torch.complex128: "c128",
    torch.int4: "i4",
    torch.uint4: "u4",
}
DTYPES = {name: dtype for dtype, name in NAMES.items()}
