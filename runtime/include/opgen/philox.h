// Random words by place: the same whoever asks for them.
//
// Place i has word i % 4 of Philox 4x32-10 at counter i / 4 + offset 2^64, with key `seed`.
// Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/half.h"  // OPGEN_ANYWHERE

namespace opgen {

/// The words of neighbouring places, many blocks of four side by side.
class Philox {
 public:
  OPGEN_ANYWHERE Philox(int64_t seed, int64_t offset) noexcept
      : seed_(static_cast<uint64_t>(seed)), offset_(static_cast<uint64_t>(offset)) {}

  /// Those of places [first, first + words); both are multiples of four.
  template <size_t words>
  OPGEN_ANYWHERE void fill(uint64_t first, uint32_t (&found)[words]) const noexcept {
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
#ifndef __CUDACC__  // which warns of it
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
  uint64_t seed_, offset_;
};

}  // namespace opgen
