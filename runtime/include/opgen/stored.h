// Vectors of numbers, and conversions between vectors of float and of 8-bit and 16-bit numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "opgen/dtype.h"

// The warning is about passing vectors between libraries, which opgen never does.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace opgen {

namespace detail {

template <class T, int64_t count>
struct VectorOf {
  typedef T type __attribute__((vector_size(count * sizeof(T))));
};

}  // namespace detail

/// The number of bytes of a vector in computations, which is that of a register. GCC keeps larger
/// vectors in memory.
#if defined(__AVX512F__)
inline constexpr int64_t vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int64_t vector_bytes = 32;
#else
inline constexpr int64_t vector_bytes = 16;
#endif

/// The number of values of type `Acc` that are computed at a time.
template <class Acc>
inline constexpr int64_t lanes = vector_bytes / sizeof(Acc);

/// A vector of `count` numbers. It has the operators of its elements, and `mask ? a : b`.
template <class T, int64_t count = lanes<T>>
using Vector = typename detail::VectorOf<T, count>::type;

namespace detail {

/// The type of numbers in memory: an integer with the bits if C++ has no such number type.
template <class T>
struct StoredAs {
  using type = T;
};
template <>
struct StoredAs<bf16> {
  using type = uint16_t;
};
template <>
struct StoredAs<f16> {
  using type = uint16_t;
};
template <>
struct StoredAs<f8e4m3> {
  using type = uint8_t;
};
template <>
struct StoredAs<f8e5m2> {
  using type = uint8_t;
};

template <class T>
using Stored = typename StoredAs<T>::type;

/// True if `widen` and `narrow` convert T to and from float.
template <class T>
inline constexpr bool is_bits = !std::is_same_v<Stored<T>, T>;

template <class To, class From>
inline To cast_bits(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <int64_t count>
inline Vector<float, count> widen(bf16, Vector<uint16_t, count> bits) noexcept {
#if defined(__AVX512F__)
  if constexpr (count == 16) {  // GCC 12 makes two halves of it
    const __m512i wide = _mm512_maskz_cvtepu16_epi32(0xffff, cast_bits<__m256i>(bits));
    return cast_bits<Vector<float, count>>(cast_bits<Vector<uint32_t, count>>(wide) << 16);
  }
#endif
#if defined(__AVX2__)
  if constexpr (count == 8) {
    const __m256i wide = _mm256_cvtepu16_epi32(cast_bits<__m128i>(bits));
    return cast_bits<Vector<float, count>>(cast_bits<Vector<uint32_t, count>>(wide) << 16);
  }
#endif
  const auto wide = __builtin_convertvector(bits, Vector<uint32_t, count>);
  return cast_bits<Vector<float, count>>(wide << 16);
}

/// Converts 8-bit integers to floats. GCC 12 would convert them one by one.
template <class T, int64_t count>
inline Vector<float, count> widen_bytes(Vector<T, count> bytes) noexcept {
  static_assert(sizeof(T) == 1);
#if defined(__AVX512F__)
  if constexpr (count == 16) {
    const auto from = cast_bits<__m128i>(bytes);
    const __m512i wide = std::is_signed_v<T> ? _mm512_maskz_cvtepi8_epi32(0xffff, from)
                                             : _mm512_maskz_cvtepu8_epi32(0xffff, from);
    return cast_bits<Vector<float, count>>(_mm512_maskz_cvtepi32_ps(0xffff, wide));
  }
#endif
#if defined(__AVX2__)
  if constexpr (count == 8) {
    __m128i from = {};
    std::memcpy(&from, &bytes, sizeof bytes);
    const __m256i wide =
        std::is_signed_v<T> ? _mm256_cvtepi8_epi32(from) : _mm256_cvtepu8_epi32(from);
    return cast_bits<Vector<float, count>>(_mm256_cvtepi32_ps(wide));
  }
#endif
  const auto wide = __builtin_convertvector(bytes, Vector<int32_t, count>);
  return __builtin_convertvector(wide, Vector<float, count>);
}

/// Widens 8-bit integers to 64 bits.
template <int64_t count>
inline Vector<uint64_t, count> widen_to_64(Vector<uint8_t, count> bytes) noexcept {
#if defined(__AVX2__)
  __m128i from = {};
  std::memcpy(&from, &bytes, sizeof bytes);
#if defined(__AVX512F__)
  if constexpr (count == 8) {
    return cast_bits<Vector<uint64_t, count>>(_mm512_maskz_cvtepu8_epi64(0xff, from));
  }
#endif
  if constexpr (count == 4) {
    return cast_bits<Vector<uint64_t, count>>(_mm256_cvtepu8_epi64(from));
  }
#endif
  return __builtin_convertvector(bytes, Vector<uint64_t, count>);
}

template <int64_t count>
inline Vector<uint16_t, count> narrow(bf16, Vector<float, count> value) noexcept {
  const auto u = cast_bits<Vector<uint32_t, count>>(value);
#if defined(__AVX512BW__)
  if constexpr (count == 16) {  // half as many instructions as GCC makes of what follows
    const __m512i bits = cast_bits<__m512i>(u);
    const __mmask16 odd = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x10000));
    const __m512i even_up = _mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff));
    const __m512i rounded = _mm512_mask_add_epi32(even_up, odd, bits, _mm512_set1_epi32(0x8000));
    // The instruction selects a quiet NaN for a NaN, and the rounded value otherwise.
    const __m512i quiet_nans = _mm512_set1_epi32(0x22);
    const __m512 upper =
        _mm512_fixupimm_ps(_mm512_castsi512_ps(rounded), cast_bits<__m512>(value), quiet_nans, 0);
    alignas(64) static constexpr uint16_t uppers[32] = {1,  3,  5,  7,  9,  11, 13, 15,
                                                        17, 19, 21, 23, 25, 27, 29, 31};
    const __m512i packed =
        _mm512_permutexvar_epi16(_mm512_load_si512(uppers), _mm512_castps_si512(upper));
    Vector<uint16_t, count> narrowed;
    std::memcpy(&narrowed, &packed, sizeof narrowed);
    return narrowed;
  }
#endif
  const auto rounded = u + 0x7fffu + ((u >> 16) & 1u);
  const auto quiet_nan = u | 0x400000u;
  const auto upper = (value != value ? quiet_nan : rounded) >> 16;
#if defined(__AVX2__)
  if constexpr (count == 8) {
    const auto whole = cast_bits<__m256i>(upper);
    return cast_bits<Vector<uint16_t, count>>(
        _mm_packus_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1)));
  }
#endif
  return __builtin_convertvector(upper, Vector<uint16_t, count>);
}

template <int64_t count>
inline Vector<float, count> widen(f16, Vector<uint16_t, count> bits) noexcept {
  Vector<float, count> value;
#if defined(__AVX512F__)
  if constexpr (count == 16) {
    return cast_bits<Vector<float, count>>(_mm512_maskz_cvtph_ps(0xffff, cast_bits<__m256i>(bits)));
  }
#endif
#if defined(__F16C__)
  __m128i eight = {};
  std::memcpy(&eight, &bits, sizeof bits < sizeof eight ? sizeof bits : sizeof eight);
  const __m256 wide = _mm256_cvtph_ps(eight);
  std::memcpy(&value, &wide, sizeof value < sizeof wide ? sizeof value : sizeof wide);
#else
  for (int64_t i = 0; i < count; ++i) value[i] = Binary16::widen(bits[i]);
#endif
  return value;
}

template <int64_t count>
inline Vector<uint16_t, count> narrow(f16, Vector<float, count> value) noexcept {
  Vector<uint16_t, count> bits;
#if defined(__AVX512F__)
  if constexpr (count == 16) {
    return cast_bits<Vector<uint16_t, count>>(
        _mm512_maskz_cvtps_ph(0xffff, cast_bits<__m512>(value), _MM_FROUND_TO_NEAREST_INT));
  }
#endif
#if defined(__F16C__)
  __m256 eight = {};
  std::memcpy(&eight, &value, sizeof value < sizeof eight ? sizeof value : sizeof eight);
  const __m128i half = _mm256_cvtps_ph(eight, _MM_FROUND_TO_NEAREST_INT);
  std::memcpy(&bits, &half, sizeof bits < sizeof half ? sizeof bits : sizeof half);
#else
  for (int64_t i = 0; i < count; ++i) bits[i] = Binary16::narrow(value[i]);
#endif
  return bits;
}

/// Rounds floats in the range of an 8-bit format to nearest, ties to even. A NaN stays a NaN. For
/// magnitudes below the format's normal numbers, it adds a float at which neighbouring floats
/// differ by the format's smallest number, as for f16. The addition rounds, and the low bits of the
/// sum hold the result.
template <uint32_t mantissa, uint32_t bias, int64_t count>
inline Vector<uint8_t, count> narrow_to_8(Vector<float, count> value) noexcept {
  using Bits = Vector<uint32_t, count>;
  constexpr uint32_t dropped = 23 - mantissa;
  constexpr uint32_t rebase = (127 - bias) << 23;
  constexpr uint32_t least_normal = (128 - bias) << 23;
  constexpr uint32_t magic = (128 - bias - mantissa + 23) << 23;
  const auto u = cast_bits<Bits>(value);
  const Bits magnitude = u & 0x7fffffffu;
  const Bits rebased = magnitude - rebase;
  const Bits even = (rebased >> dropped) & 1u;
  const Bits normal = (rebased + ((1u << (dropped - 1)) - 1) + even) >> dropped;
  const auto sum = cast_bits<Vector<float, count>>(magnitude) + cast_bits<float>(magic);
  const Bits tiny = cast_bits<Bits>(sum) - magic;
  const Bits number = magnitude < least_normal ? tiny : normal;
  const Bits code = (value != value ? Bits{} + 0x7fu : number) | ((u >> 24) & 0x80u);
  return __builtin_convertvector(code, Vector<uint8_t, count>);
}

template <int64_t count>
inline Vector<uint8_t, count> narrow(f8e4m3, Vector<float, count> value) noexcept {
  return narrow_to_8<3, 7, count>(value);
}

template <int64_t count>
inline Vector<uint8_t, count> narrow(f8e5m2, Vector<float, count> value) noexcept {
  return narrow_to_8<2, 15, count>(value);
}

}  // namespace detail

}  // namespace opgen
