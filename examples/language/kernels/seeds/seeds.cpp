#include "seeds.h"

namespace language_ops::cpu {

template <class T>
opgen::Status masked(const MaskedView<T>& op) noexcept {
  constexpr int64_t prime = 46337;
  const int64_t least = int64_t(op.desc.p * prime), seed = op.seed.data[0];
  opgen::parallel(op.ctx, op.x.numel(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t word = i % prime;
      for (int turn = 0; turn < 4; ++turn) {
        word += (seed >> (15 * turn)) % prime;
        word = (word * word + 1) % prime;
      }
      op.y.data[i] = word < least ? T(0.0f) : T(float(op.x.data[i]) / float(1 - op.desc.p));
    }
  });
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
