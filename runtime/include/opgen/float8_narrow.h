// Converts float to 8-bit floats (OCP 8-bit Floating Point Specification, 2023), without branches
// on the magnitude.
#pragma once

#include <cstdint>

#include "opgen/half.h"
#include "opgen/narrow_types.h"

namespace opgen {

namespace detail {

template <class T, int mantissa, int bias>
struct Float8Narrow {
  /// Rounds to nearest, ties to even. A value out of range becomes `limit` with its sign, and a NaN
  /// stays a NaN.
  OPGEN_ANYWHERE static T saturated(float value, float limit) noexcept {
    constexpr int shift = 23 - mantissa;
    const uint32_t u = bits_of(value);
    const uint32_t sign = u >> 24 & 0x80u;
    if ((u & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint8_t>(sign | 0x7fu)};
    float magnitude = float_of(u & 0x7fffffffu);
    magnitude = magnitude < limit ? magnitude : limit;
    // Below the normal values results are multiples of 2^(1 - bias - mantissa): adding a number
    // whose floats have that spacing rounds, and leaves the multiple in the low bits of the sum.
    const uint32_t magic = static_cast<uint32_t>(127 + 24 - bias - mantissa) << 23;
    const uint32_t tiny = bits_of(magnitude + float_of(magic)) - magic;
    const uint32_t m = bits_of(magnitude);
    const uint32_t rounded = (m + ((1u << (shift - 1)) - 1) + (m >> shift & 1u)) >> shift;
    const uint32_t normal = rounded - (static_cast<uint32_t>(127 - bias) << mantissa);
    const bool is_tiny = m < static_cast<uint32_t>(127 + 1 - bias) << 23;
    return {static_cast<uint8_t>(sign | (is_tiny ? tiny : normal))};
  }
};

}  // namespace detail

/// For an 8-bit float `T`: `limit` is the largest value, and `saturated(value)` is the nearest
/// value, ties to even.
template <class T>
struct Float8;

template <>
struct Float8<f8e4m3> {
  static constexpr float limit = 448.0f;
  OPGEN_ANYWHERE static f8e4m3 saturated(float value) noexcept {
    return detail::Float8Narrow<f8e4m3, 3, 7>::saturated(value, limit);
  }
};

template <>
struct Float8<f8e5m2> {
  static constexpr float limit = 57344.0f;
  OPGEN_ANYWHERE static f8e5m2 saturated(float value) noexcept {
    return detail::Float8Narrow<f8e5m2, 2, 15>::saturated(value, limit);
  }
};

}  // namespace opgen
