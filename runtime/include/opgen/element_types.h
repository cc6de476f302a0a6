// Every element type. Written from opgen/runtime/core/dtypes.py: do not edit.
#pragma once

/// Calls X for each type, in the order of their codes: enumerator, name, code, bits, kind, C++
/// type, and what NumPy and XLA call it.
#define OPGEN_ELEMENT_TYPES(X)                                                          \
  X(BF16, "bf16", 0, 16, floating, bf16, bfloat16, BF16)                                \
  X(F16, "f16", 1, 16, floating, f16, float16, F16)                                     \
  X(F32, "f32", 2, 32, floating, float, float32, F32)                                   \
  X(F64, "f64", 3, 64, floating, double, float64, F64)                                  \
  X(I8, "i8", 4, 8, signed_int, int8_t, int8, S8)                                       \
  X(I16, "i16", 5, 16, signed_int, int16_t, int16, S16)                                 \
  X(I32, "i32", 6, 32, signed_int, int32_t, int32, S32)                                 \
  X(I64, "i64", 7, 64, signed_int, int64_t, int64, S64)                                 \
  X(U8, "u8", 8, 8, unsigned_int, uint8_t, uint8, U8)                                   \
  X(U16, "u16", 9, 16, unsigned_int, uint16_t, uint16, U16)                             \
  X(U32, "u32", 10, 32, unsigned_int, uint32_t, uint32, U32)                            \
  X(U64, "u64", 11, 64, unsigned_int, uint64_t, uint64, U64)                            \
  X(BOOL, "bool", 12, 8, boolean, bool, bool, PRED)                                     \
  X(F8E4M3, "f8e4m3", 13, 8, floating, f8e4m3, float8_e4m3fn, F8E4M3FN)                 \
  X(F8E5M2, "f8e5m2", 14, 8, floating, f8e5m2, float8_e5m2, F8E5M2)                     \
  X(F8E4M3FNUZ, "f8e4m3fnuz", 15, 8, floating, f8e4m3fnuz, float8_e4m3fnuz, F8E4M3FNUZ) \
  X(F8E5M2FNUZ, "f8e5m2fnuz", 16, 8, floating, f8e5m2fnuz, float8_e5m2fnuz, F8E5M2FNUZ) \
  X(F8E8M0, "f8e8m0", 17, 8, floating, f8e8m0, float8_e8m0fnu, F8E8M0FNU)               \
  X(F4E2M1, "f4e2m1", 18, 4, floating, f4e2m1, float4_e2m1fn, F4E2M1FN)                 \
  X(C64, "c64", 19, 64, complex, std::complex<float>, complex64, C64)                   \
  X(C128, "c128", 20, 128, complex, std::complex<double>, complex128, C128)             \
  X(I4, "i4", 21, 4, signed_int, i4, int4, S4)                                          \
  X(U4, "u4", 22, 4, unsigned_int, u4, uint4, U4)
