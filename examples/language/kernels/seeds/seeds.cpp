#include "seeds.h"

#include <algorithm>

#include "opgen/philox.h"

namespace language_ops::cpu {

template <class T>
opgen::Status masked(const MaskedView<T>& op) noexcept {
  const opgen::Philox philox(op.seed.data[0], 0);
  const auto least = static_cast<uint32_t>(op.desc.p * 0x1p32);  // p is below 1
  const auto kept = static_cast<float>(1 - op.desc.p);
  const int64_t n = op.x.numel();
  // Words come in fours, and the same whoever asks for them: any thread may compute any of them.
  opgen::parallel(op.ctx, (n + 3) / 4, 1024, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      uint32_t words[4];
      philox.fill(static_cast<uint64_t>(4 * block), words);
      for (int64_t i = 4 * block; i < std::min(4 * block + 4, n); ++i) {
        const bool keep = words[i % 4] >= least;
        op.y.data[i] = keep ? T(float(op.x.data[i]) / kept) : T(0.0f);
      }
    }
  });
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
