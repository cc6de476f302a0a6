// Dropout on the CPU.
//
// Element i uses the random word of position i (opgen/philox.h). So the bits do not depend on the
// number of threads.
#include "dropout.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "opgen/philox.h"
#include "opgen/rows.h"

namespace generated::cpu {

template <class T>
opgen::Status dropout(const DropoutView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Words = opgen::Vector<uint32_t, opgen::lanes<Acc>>;
  const int64_t n = op.x.numel();
  const T* x = op.x.data;  // *s
  T* y = op.y.data;        // *s
  if (op.desc.p == 1) {    // `least` would not fit in 32 bits
    std::fill_n(y, n, T(0));
    return opgen::Status::ok;
  }
  const Acc kept = static_cast<Acc>(1 - op.desc.p);
  const uint32_t least = static_cast<uint32_t>(op.desc.p * 0x1p32);
  const opgen::Philox philox(*op.seed.data, op.offset.present() ? *op.offset.data : 0);

  constexpr int64_t piece_words = 256;
  const int64_t pieces = (n + piece_words - 1) / piece_words;
  opgen::parallel(op.ctx, pieces, 8192 / piece_words, [=](int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece < end; ++piece) {
      uint32_t words[piece_words];
      const int64_t first = piece * piece_words;
      philox.fill(static_cast<uint64_t>(first), words);
      opgen::each_vector<Acc>(0, std::min(piece_words, n - first), opgen::Streamed{},
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
