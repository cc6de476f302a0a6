// scale * x**2 on the CPU.
#include "scaled_square.h"

namespace acme_ops::cpu {

template <class T>
opgen::Status scaled_square(const ScaledSquareView<T>& op) noexcept {
  const T scale = static_cast<T>(op.desc.scale);
  const T* x = op.x.data;  // *s
  T* y = op.y.data;        // *s
  opgen::parallel(op.ctx, op.x.numel(), 4096, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = scale * x[i] * x[i];
  });
  return opgen::Status::ok;
}

}  // namespace acme_ops::cpu
