// The 16-bit floats as C++ types: storage, and conversions from and to float.
//
// The conversions have no branches and use only integers and normal floats. So compilers can
// vectorise them, and subnormals are kept even if the caller flushes them to 0, as XLA does. GPUs
// have instructions for f16 with the same results, except for the bits of a NaN (PTX ISA, cvt).
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

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

/// The bits of a number, for a constructor that does not convert them.
struct Bits {
  uint16_t value;
};

}  // namespace detail

/// The common part of `bf16` and `f16`: `Format` converts bits. Assigning a number to an element
/// stores it without a temporary, so that compilers can vectorise `y[i] = value`.
template <class Format>
struct Half {
  uint16_t bits;

  Half() = default;
  OPGEN_ANYWHERE explicit Half(float value) noexcept : bits(Format::narrow(value)) {}
  OPGEN_ANYWHERE explicit constexpr Half(detail::Bits given) noexcept : bits(given.value) {}

  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  OPGEN_ANYWHERE Half& operator=(T value) noexcept {
    bits = Format::narrow(static_cast<float>(value));
    return *this;
  }

  OPGEN_ANYWHERE explicit operator float() const noexcept { return Format::widen(bits); }
  OPGEN_ANYWHERE explicit operator double() const noexcept { return Format::widen(bits); }
};

struct Bfloat16 {
  /// Rounds to nearest, ties to even. A NaN stays a NaN.
  OPGEN_ANYWHERE static uint16_t narrow(float value) noexcept {
    const uint32_t u = detail::bits_of(value);
    const uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    const uint32_t quiet_nan = (u >> 16) | 0x40u;
    return static_cast<uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded);
  }

  OPGEN_ANYWHERE static float widen(uint16_t bits) noexcept {
    return detail::float_of(uint32_t{bits} << 16);
  }
};

struct Binary16 {
  /// Rounds to nearest, ties to even. A value that is too large becomes infinity, and a NaN stays a
  /// NaN.
  OPGEN_ANYWHERE static uint16_t narrow(float value) noexcept {
#ifdef __CUDA_ARCH__
    uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
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
    return static_cast<uint16_t>((u >> 16 & 0x8000u) | result);
#endif
  }

  OPGEN_ANYWHERE static float widen(uint16_t bits) noexcept {
#ifdef __CUDA_ARCH__
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#else
    const uint32_t magnitude = bits & 0x7fffu;
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t normal = (magnitude << 13) + (112u << 23);
    const uint32_t special = normal + (112u << 23);  // infinity and NaN
    const float multiple = static_cast<float>(static_cast<int32_t>(magnitude));
    const uint32_t tiny = detail::bits_of(multiple * 0x1p-24f);
    uint32_t result = magnitude < 0x0400u ? tiny : normal;
    result = magnitude >= 0x7c00u ? special : result;
    return detail::float_of(sign | result);
#endif
  }
};

/// bfloat16: the upper half of a float.
using bf16 = Half<Bfloat16>;

/// IEEE 754 binary16.
using f16 = Half<Binary16>;

static_assert(sizeof(bf16) == 2 && std::is_trivially_copyable_v<bf16>);

}  // namespace opgen
