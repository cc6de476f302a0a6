// -x on the CPU.
#include "tensor_negate.h"

namespace generated::cpu {

template <class T>
opgen::Status tensor_negate(const TensorNegateView<T>& op) noexcept {
  const T* x = op.x.data;  // *s
  T* y = op.y.data;        // *s
  opgen::parallel(op.ctx, op.x.numel(), 32768, [=](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) y[i] = static_cast<T>(-x[i]);
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
