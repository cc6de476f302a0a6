#include "scaled_square.h"

namespace acme_ops::cpu {

template <class T>
opgen::Status scaled_square(const ScaledSquareView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;  // float for bf16 and f16
  const Acc scale = static_cast<Acc>(op.desc.scale);
  const T* x = op.x.data;  // *s
  T* y = op.y.data;        // *s
  opgen::parallel(op.ctx, op.x.numel(), 4096, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Acc v = static_cast<Acc>(x[i]);
      y[i] = static_cast<T>(scale * v * v);
    }
  });
  return opgen::Status::ok;
}

}  // namespace acme_ops::cpu
