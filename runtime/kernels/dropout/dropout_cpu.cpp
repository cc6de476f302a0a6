// Dropout on the CPU, its random words by position: the same bits whatever the number of threads.
//
// Element i has word i % 4 of Philox 4x32-10 at counter i / 4 + offset 2^64, with key `seed`.
// Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011.
#include "dropout.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "opgen/rows.h"

namespace generated::cpu {

/// The words of neighbouring elements, as many blocks of four side by side as make vectors full.
class Philox {
 public:
  static constexpr int64_t blocks = 64, words = 4 * blocks;

  Philox(uint64_t seed, uint64_t offset) noexcept : seed_(seed), offset_(offset) {}

  /// Those of elements [first, first + words); `first` is a multiple of four.
  void fill(uint64_t first, uint32_t* found) const noexcept {
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
#pragma omp simd
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

template <class T>
opgen::Status dropout(const DropoutView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Words = opgen::Vector<uint32_t, opgen::lanes<Acc>>;
  const int64_t n = op.x.numel();
  const T* x = op.x.data;  // *s
  T* y = op.y.data;        // *s
  const Acc kept = static_cast<Acc>(1 - op.desc.p);
  const uint32_t least = static_cast<uint32_t>(op.desc.p * 0x1p32);  // p is below 1
  const Philox philox(static_cast<uint64_t>(*op.seed.data), static_cast<uint64_t>(*op.offset.data));

  const int64_t pieces = (n + Philox::words - 1) / Philox::words;
  opgen::parallel(op.ctx, pieces, 8192 / Philox::words, [=](int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece < end; ++piece) {
      uint32_t words[Philox::words];
      const int64_t first = piece * Philox::words;
      philox.fill(static_cast<uint64_t>(first), words);
      opgen::each_vector<Acc>(0, std::min(Philox::words, n - first), opgen::Streamed{},
                              [&words, x = x + first, y = y + first, kept, least](auto v) {
        Words word;
        std::memcpy(&word, words + v.at, sizeof word);
        const opgen::Vector<Acc> zero = {};
        v.store(y, word >= least ? v.load(x) / kept : zero);
      });
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
