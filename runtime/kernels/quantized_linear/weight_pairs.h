// Converts 8-bit and 4-bit integers to pairs of bf16, which is exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "opgen/matmul.h"

namespace generated::cpu {

#if defined(__AVX512BW__)

/// Returns the pairs of `count` numbers, at most 32, from number `at` on. The numbers are 4-bit
/// integers minus 8. `at` and `count` must be even.
inline opgen::Vector<uint32_t> pairs_from(const uint8_t* data, int64_t at, int64_t count) noexcept {
  // -8 to 7 in bf16.
  alignas(64) static constexpr uint16_t numbers[32] = {
      0xc100, 0xc0e0, 0xc0c0, 0xc0a0, 0xc080, 0xc040, 0xc000, 0xbf80,
      0,      0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0, 0x40e0};
  __m128i found = {};
  if (count >= 32) {
    std::memcpy(&found, data + at / 2, 16);
  } else {
    std::memcpy(&found, data + at / 2, static_cast<size_t>(count / 2));
  }
  const auto wide =
      opgen::detail::cast_bits<opgen::Vector<uint32_t>>(_mm512_maskz_cvtepu8_epi32(0xffff, found));
  const auto places = opgen::detail::cast_bits<__m512i>((wide | wide << 12) & 0x000f000fu);
  return opgen::detail::cast_bits<opgen::Vector<uint32_t>>(
      _mm512_permutexvar_epi16(places, _mm512_load_si512(numbers)));
}

/// Does the same for 8-bit integers. If `count` is odd, a 0 follows the last number.
inline opgen::Vector<uint32_t> pairs_from(const int8_t* data, int64_t at, int64_t count) noexcept {
  __m256i found = {};
  if (count >= 32) {
    std::memcpy(&found, data + at, 32);
  } else {
    std::memcpy(&found, data + at, static_cast<size_t>(count));
  }
  using opgen::detail::cast_bits;
  const auto pairs =
      cast_bits<opgen::Vector<int32_t>>(_mm512_maskz_cvtepi8_epi16(0xffffffff, found));
  const auto bits = [](opgen::Vector<int32_t> integers) {
    const auto numbers = __builtin_convertvector(integers, opgen::Vector<float>);
    return cast_bits<opgen::Vector<uint32_t>>(numbers);
  };
  return bits(pairs << 16 >> 16) >> 16 | bits(pairs >> 16);  // the lower half of a float is 0
}

/// Packs `count` terms from `first` on, for `channels` rows of the weight, in a panel.
template <class Weight>
void lay_pairs_of_channels(const Weight& w, int64_t row, int64_t channels, int64_t first,
                           int64_t count, opgen::Pair* panel) noexcept {
  constexpr int64_t width = opgen::lanes<uint32_t>, across = opgen::Blocks<float>::columns;
  const int64_t pairs = (count + 1) / 2;
  for (int64_t j = 0; j < across; j += width) {
    for (int64_t p = 0; p < pairs; p += width) {
      opgen::Vector<uint32_t> square[width] = {};
      for (int64_t i = 0; i < std::min(width, channels - j); ++i) {
        const int64_t at = (row + j + i) * w.columns + first + 2 * p;
        square[i] = pairs_from(w.data, at, count - 2 * p);
      }
      opgen::detail::turn<uint32_t>(square);
      for (int64_t r = 0; r < std::min(width, pairs - p); ++r) {
        std::memcpy(panel + (p + r) * across + j, &square[r], sizeof square[r]);
      }
    }
  }
}

#endif

}  // namespace generated::cpu
