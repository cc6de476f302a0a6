// Random words that depend only on a seed, an offset and a position.
//
// Position i has word i % 4 of Philox 4x32-10 at counter i / 4 + offset 2^64, with key `seed`
// (Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011).
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/half.h"  // OPGEN_ANYWHERE

#if defined(__AVX2__) && !defined(__CUDACC__)
#define OPGEN_WIDE_PHILOX
#include <immintrin.h>
#endif

namespace opgen {

/// Computes the words of neighbouring positions. It computes many blocks of four words in parallel.
class Philox {
 public:
  OPGEN_ANYWHERE Philox(int64_t seed, int64_t offset) noexcept
      : seed_(static_cast<uint64_t>(seed)), offset_(static_cast<uint64_t>(offset)) {}

  /// The words of positions [first, first + words). Both numbers are multiples of four.
  template <size_t words>
  OPGEN_ANYWHERE void fill(uint64_t first, uint32_t (&found)[words]) const noexcept {
#ifdef OPGEN_WIDE_PHILOX
    if constexpr (words % wide_words == 0) {
      for (size_t at = 0; at < words; at += wide_words) fill_wide((first + at) / 4, found + at);
      return;
    }
#endif
    constexpr int64_t blocks = words / 4;
    uint32_t c[4][blocks];
    for (int64_t b = 0; b < blocks; ++b) {
      const uint64_t block = first / 4 + static_cast<uint64_t>(b);
      c[0][b] = static_cast<uint32_t>(block);
      c[1][b] = static_cast<uint32_t>(block >> 32);
      c[2][b] = static_cast<uint32_t>(offset_);
      c[3][b] = static_cast<uint32_t>(offset_ >> 32);
    }
    uint32_t key[2] = {static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32)};
    for (int round = 0; round < 10; ++round) {
#ifndef __CUDACC__  // which warns about this function
#pragma omp simd
#endif
      for (int64_t b = 0; b < blocks; ++b) {
        const uint64_t low = uint64_t{0xD2511F53} * c[0][b], high = uint64_t{0xCD9E8D57} * c[2][b];
        c[0][b] = static_cast<uint32_t>(high >> 32) ^ c[1][b] ^ key[0];
        c[2][b] = static_cast<uint32_t>(low >> 32) ^ c[3][b] ^ key[1];
        c[1][b] = static_cast<uint32_t>(high);
        c[3][b] = static_cast<uint32_t>(low);
      }
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    for (int64_t b = 0; b < blocks; ++b) {
      for (int64_t word = 0; word < 4; ++word) found[4 * b + word] = c[word][b];
    }
  }

 private:
#ifdef OPGEN_WIDE_PHILOX
  typedef uint64_t Wide __attribute__((vector_size(32)));
  static constexpr size_t wide_words = 32;

  static Wide product(Wide a, Wide b) noexcept {
    return Wide(_mm256_mul_epu32(__m256i(a), __m256i(b)));
  }

  /// Computes eight blocks from `block` on. A 64-bit lane has a word of a block in its lower half,
  /// where the multiply instructions read it. They ignore the upper half. Code that a compiler
  /// creates for products of 32 bits moves words in and out of such lanes in each round, which
  /// takes three times as long.
  void fill_wide(uint64_t block, uint32_t* found) const noexcept {
    constexpr int sets = 2;  // independent sets of blocks, to hide the latency of products
    Wide c[4][sets];
    for (int set = 0; set < sets; ++set) {
      c[0][set] = Wide{0, 1, 2, 3} + (block + 4 * static_cast<uint64_t>(set));
      c[1][set] = c[0][set] >> 32;
      c[2][set] = Wide{} + offset_;
      c[3][set] = c[2][set] >> 32;
    }
    auto key0 = static_cast<uint32_t>(seed_), key1 = static_cast<uint32_t>(seed_ >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 2
      for (int set = 0; set < sets; ++set) {
        const Wide low = product(c[0][set], Wide{} + 0xD2511F53);
        const Wide high = product(c[2][set], Wide{} + 0xCD9E8D57);
        c[0][set] = (high >> 32) ^ c[1][set] ^ (Wide{} + key0);
        c[2][set] = (low >> 32) ^ c[3][set] ^ (Wide{} + key1);
        c[1][set] = high;
        c[3][set] = low;
      }
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    for (int set = 0; set < sets; ++set) {
      const Wide lower = Wide{} + 0xFFFFFFFF;
      const auto a = __m256i((c[0][set] & lower) | c[1][set] << 32);
      const auto b = __m256i((c[2][set] & lower) | c[3][set] << 32);
      const __m256i even = _mm256_unpacklo_epi64(a, b), odd = _mm256_unpackhi_epi64(a, b);
      auto* to = reinterpret_cast<__m256i*>(found + 16 * set);
      _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
      _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    }
  }
#endif

  uint64_t seed_, offset_;
};

}  // namespace opgen
