#include "drop.h"

namespace gallery_ops::cpu {

template <class T>
opgen::Status drop(const DropView<T>& op) noexcept {
  constexpr int64_t prime = 46337;
  const int64_t seed = op.seed.data[0];
  opgen::parallel(op.ctx, op.x.numel(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t word = i % prime;
      for (int turn = 0; turn < 5; ++turn) {
        word = (word + (seed >> (15 * turn)) % prime) % prime;
        word = (word * word + 1) % prime;
      }
      op.y.data[i] = op.x.data[i] * T(word % 2 * 2);
    }
  });
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
