// `std::numeric_limits` for the floats that C++ does not have, except types that pack two values
// into an object.
#pragma once

#include <cstdint>
#include <limits>

#include "opgen/half.h"
#include "opgen/narrow_types.h"

namespace opgen::detail {

/// The bits of the values that `std::numeric_limits` returns; 0 if there is no such value.
struct FloatBits {
  int digits, min_exponent, max_exponent;
  uint16_t max, lowest, min, epsilon, half, denorm_min, infinity, nan;
};

template <class T>
constexpr OPGEN_ANYWHERE T of_bits(uint16_t bits) noexcept {
  return {static_cast<uint8_t>(bits)};
}
template <>
constexpr OPGEN_ANYWHERE bf16 of_bits<bf16>(uint16_t bits) noexcept {
  return bf16(Bits{bits});
}
template <>
constexpr OPGEN_ANYWHERE f16 of_bits<f16>(uint16_t bits) noexcept {
  return f16(Bits{bits});
}

template <class T, class Of>
struct FloatLimits {
  static constexpr FloatBits of = Of::bits;
  static constexpr bool is_specialized = true, is_signed = of.lowest != of.min;
  static constexpr bool is_integer = false, is_exact = false;
  static constexpr bool is_bounded = true, is_modulo = false;
  static constexpr bool has_infinity = of.infinity != 0, has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = false, has_denorm_loss = false;
  static constexpr bool is_iec559 = has_infinity, traps = false, tinyness_before = false;
  static constexpr auto has_denorm =
      of.denorm_min != of.min ? std::denorm_present : std::denorm_absent;
  static constexpr auto round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = of.digits;
  static constexpr int digits10 = (digits - 1) * 301 / 1000;
  static constexpr int max_digits10 = digits * 301 / 1000 + 2;
  static constexpr int min_exponent = of.min_exponent, max_exponent = of.max_exponent;
  static constexpr int min_exponent10 = (min_exponent - 1) * 301 / 1000;
  static constexpr int max_exponent10 = max_exponent * 301 / 1000;

  static constexpr OPGEN_ANYWHERE T min() noexcept { return of_bits<T>(of.min); }
  static constexpr OPGEN_ANYWHERE T max() noexcept { return of_bits<T>(of.max); }
  static constexpr OPGEN_ANYWHERE T lowest() noexcept { return of_bits<T>(of.lowest); }
  static constexpr OPGEN_ANYWHERE T epsilon() noexcept { return of_bits<T>(of.epsilon); }
  static constexpr OPGEN_ANYWHERE T round_error() noexcept { return of_bits<T>(of.half); }
  static constexpr OPGEN_ANYWHERE T denorm_min() noexcept { return of_bits<T>(of.denorm_min); }
  static constexpr OPGEN_ANYWHERE T infinity() noexcept { return of_bits<T>(of.infinity); }
  static constexpr OPGEN_ANYWHERE T quiet_NaN() noexcept { return of_bits<T>(of.nan); }
  static constexpr OPGEN_ANYWHERE T signaling_NaN() noexcept { return of_bits<T>(0); }
};

}  // namespace opgen::detail

#define OPGEN_FLOAT_LIMITS(type, ...)             \
  namespace opgen::detail {                       \
  struct BitsOf_##type {                          \
    static constexpr FloatBits bits{__VA_ARGS__}; \
  };                                              \
  }                                               \
  template <>                                     \
  struct std::numeric_limits<opgen::type>         \
      : opgen::detail::FloatLimits<opgen::type, opgen::detail::BitsOf_##type> {};

OPGEN_FLOAT_LIMITS(bf16, 8, -125, 128, 0x7f7f, 0xff7f, 0x80, 0x3c00, 0x3f00, 1, 0x7f80, 0x7fc0)
OPGEN_FLOAT_LIMITS(f16, 11, -13, 16, 0x7bff, 0xfbff, 0x400, 0x1400, 0x3800, 1, 0x7c00, 0x7e00)
OPGEN_FLOAT_LIMITS(f8e4m3, 4, -5, 9, 0x7e, 0xfe, 0x08, 0x20, 0x30, 1, 0, 0x7f)
OPGEN_FLOAT_LIMITS(f8e5m2, 3, -13, 16, 0x7b, 0xfb, 0x04, 0x34, 0x38, 1, 0x7c, 0x7e)
OPGEN_FLOAT_LIMITS(f8e4m3fnuz, 4, -6, 8, 0x7f, 0xff, 0x08, 0x28, 0x38, 1, 0, 0x80)
OPGEN_FLOAT_LIMITS(f8e5m2fnuz, 3, -14, 16, 0x7f, 0xff, 0x04, 0x38, 0x3c, 1, 0, 0x80)
OPGEN_FLOAT_LIMITS(f8e8m0, 1, -126, 128, 0xfe, 0, 0, 0x7f, 0x7e, 0, 0, 0xff)

#undef OPGEN_FLOAT_LIMITS
