// Pairs of bf16, for processors that multiply and add pairs in one instruction, and functions that
// pack them.
//
// Pairs are along the inner dim of a matrix. If this dim is odd, the last pair has a 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opgen/amx.h"
#include "opgen/dtype.h"
#include "opgen/vector.h"

namespace opgen {

/// Two neighbours along the inner dim of a product, the first in the lower half.
struct Pair {
  uint32_t bits;
};

/// One term of a product of f32 with bf16, as a pair of bf16. For the f32 factor, the pair has two
/// numbers whose sum has the number's first 16 binary digits, if it is at least 2^-118. If it is at
/// least 2^-103, neither is 0 or subnormal, because 0 times infinity is NaN. For bf16, the pair has
/// the number twice.
struct Split {
  uint32_t bits;

#if defined(__AVX512BW__)
  /// Both parts of each number.
  static Vector<uint32_t> of(Vector<float> number) noexcept {
    using detail::cast_bits;
    const auto bits = cast_bits<Vector<uint32_t>>(number);
    const auto rest = number - cast_bits<Vector<float>>(bits & 0xffff0000u);
    const auto low = (cast_bits<Vector<uint32_t>>(rest) + 0x8000u) & 0xffff0000u;
    const auto half = cast_bits<Vector<uint32_t>>(number * 0.5f);
    // A number of bf16 is divided in two halves. `rest` is NaN for infinity.
    return (bits & 0xffffu) == 0 ? half >> 16 | half : bits >> 16 | low;
  }
#endif
};

#if defined(__AVX512BW__)

inline constexpr bool has_pairs = true;

/// True if pairs are multiplied faster than floats. This is the case with AMX. With vectors, pairs
/// are twice as fast on Zen 4, and half as fast on Emerald Rapids, the only Intel processor that
/// was measured.
inline bool pairs_are_fast() noexcept {
  static const bool fast =
      amx_is_there() || (__builtin_cpu_supports("avx512bf16") && !__builtin_cpu_is("intel"));
  return fast;
}

/// Returns `sum` plus the products of both numbers of each pair. Subnormal numbers count as 0.
inline Vector<float> add_products(Vector<uint32_t> a, Vector<uint32_t> b,
                                  Vector<float> sum) noexcept {
  asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));  // which the level does not include
  return sum;
}

/// Floats that bf16 can represent, each as a pair with the number twice.
inline Vector<uint32_t> twice(Vector<float> number) noexcept {
  const auto bits = detail::cast_bits<Vector<uint32_t>>(number);
  return bits >> 16 | bits;
}

namespace detail {

using Halves = Vector<uint16_t, 32>;

/// Loads up to 32 neighbours, and zeros after them, in one instruction. A copy with a size known
/// only at run time takes ten times as long.
inline Halves load_halves(const bf16* from, int64_t count) noexcept {
  Halves found = {};
  if (count >= 32) {
    std::memcpy(&found, from, sizeof found);
  } else {
    std::memcpy(&found, from, static_cast<size_t>(count) * sizeof(bf16));
  }
  return found;
}

/// The pairs of two rows of 16 numbers.
inline Vector<uint32_t> pair_up_16(const bf16* low, const bf16* high) noexcept {
  const auto widened = [](const bf16* from) {
    const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from));
    return cast_bits<Vector<uint32_t>>(_mm512_maskz_cvtepu16_epi32(0xffff, bits));
  };
  return widened(low) | widened(high) << 16;
}

/// The pairs of two rows of up to 32 numbers, in two vectors of 16 pairs.
inline void pair_up(Halves low, Halves high, Vector<uint32_t> (&pairs)[2]) noexcept {
  const Halves first =
      __builtin_shufflevector(low, high, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8,
                              40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47);
  const Halves second =
      __builtin_shufflevector(low, high, 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23,
                              55, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
  std::memcpy(&pairs[0], &first, sizeof first);
  std::memcpy(&pairs[1], &second, sizeof second);
}

}  // namespace detail

/// Packs pairs of neighbouring rows into rows of 32 pairs. The input has `count` rows of up to 32
/// columns, which are `row` numbers apart.
inline void pair_rows(const bf16* from, int64_t row, int64_t count, int64_t columns,
                      Pair* to) noexcept {
  for (int64_t k = 0; k < count; k += 2, from += 2 * row, to += 32) {
    const auto low = detail::load_halves(from, columns);
    const auto high = k + 1 < count ? detail::load_halves(from + row, columns) : detail::Halves{};
    Vector<uint32_t> pairs[2];
    detail::pair_up(low, high, pairs);
    std::memcpy(to, pairs, sizeof pairs);
  }
}

#else

inline constexpr bool has_pairs = false;

inline bool pairs_are_fast() noexcept { return false; }

#endif

/// Enables a function that packs numbers of type `T` as pairs only if P is `Pair`, T is bf16, and
/// the processor can multiply pairs. Such a function is a template, so that the functions it calls
/// need not exist on other processors.
template <class P, class T>
using if_paired = std::enable_if_t<has_pairs && std::is_same_v<P, Pair> && std::is_same_v<T, bf16>>;

/// Does the same for `Split`, with f32 and bf16.
template <class P, class T>
using if_split = std::enable_if_t<has_pairs && std::is_same_v<P, Split> &&
                                  (std::is_same_v<T, bf16> || std::is_same_v<T, float>)>;

}  // namespace opgen
