// The 16-bit floats as C++ types: storage, and conversions from and to float.
//
// Both conversions are written without branches, on integers and normal floats only, so that
// compilers vectorise them and subnormals survive where the caller flushes them (XLA does).
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define OPGEN_ANYWHERE __host__ __device__
#else
#define OPGEN_ANYWHERE
#endif

namespace opgen {

namespace detail {

OPGEN_ANYWHERE inline uint32_t bits_of(float value) noexcept {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

OPGEN_ANYWHERE inline float float_of(uint32_t bits) noexcept {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace detail

/// bfloat16: the upper half of a float.
struct bf16 {
  uint16_t bits;

  bf16() = default;

  /// Rounds to nearest, ties to even; a NaN stays one.
  OPGEN_ANYWHERE explicit bf16(float value) noexcept {
    const uint32_t u = detail::bits_of(value);
    const uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    const uint32_t quiet_nan = (u >> 16) | 0x40u;
    bits = static_cast<uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded);
  }

  OPGEN_ANYWHERE explicit operator float() const noexcept {
    return detail::float_of(uint32_t{bits} << 16);
  }
  OPGEN_ANYWHERE explicit operator double() const noexcept { return static_cast<float>(*this); }
};

/// IEEE 754 binary16.
struct f16 {
  uint16_t bits;

  f16() = default;

  /// Rounds to nearest, ties to even; too large becomes infinity, a NaN stays one.
  OPGEN_ANYWHERE explicit f16(float value) noexcept {
    const uint32_t u = detail::bits_of(value);
    const uint32_t magnitude = u & 0x7fffffffu;
    // Below 2^-14 results are multiples of 2^-24, the spacing of floats in [0.5, 1):
    // adding 0.5 rounds, and leaves the multiple in the low bits of the sum.
    const uint32_t tiny = detail::bits_of(detail::float_of(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t rebased = magnitude - (112u << 23);
    const uint32_t normal = (rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13;
    uint32_t result = magnitude < 0x38800000u ? tiny : normal;
    result = magnitude >= 0x477ff000u ? 0x7c00u : result;  // 65520 and more round to infinity
    result = magnitude > 0x7f800000u ? 0x7e00u : result;
    bits = static_cast<uint16_t>((u >> 16 & 0x8000u) | result);
  }

  OPGEN_ANYWHERE explicit operator float() const noexcept {
    const uint32_t magnitude = bits & 0x7fffu;
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t normal = (magnitude << 13) + (112u << 23);
    const uint32_t special = normal + (112u << 23);  // infinity and NaN
    const float multiple = static_cast<float>(static_cast<int32_t>(magnitude));
    const uint32_t tiny = detail::bits_of(multiple * 0x1p-24f);
    uint32_t result = magnitude < 0x0400u ? tiny : normal;
    result = magnitude >= 0x7c00u ? special : result;
    return detail::float_of(sign | result);
  }
  OPGEN_ANYWHERE explicit operator double() const noexcept { return static_cast<float>(*this); }
};

static_assert(sizeof(bf16) == 2 && sizeof(f16) == 2, "16-bit floats are stored in 16 bits");

}  // namespace opgen
