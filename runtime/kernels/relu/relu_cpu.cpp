// max(x, 0) and its gradient on the CPU.
#include "relu.h"

#include <type_traits>

namespace generated::cpu {

/// The type to compare in: 16-bit floats have no operators of their own.
template <class T>
using Compared = std::conditional_t<std::is_arithmetic_v<T>, T, opgen::accum_t<T>>;

template <class T>
opgen::Status relu(const ReluView<T>& op) noexcept {
  const T* x = op.x.data;  // *s
  T* y = op.y.data;        // *s
  const T zero = static_cast<T>(Compared<T>(0));
  opgen::parallel(op.ctx, op.x.numel(), 32768, [=](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) {
      y[i] = static_cast<Compared<T>>(x[i]) > 0 ? x[i] : zero;
    }
  });
  return opgen::Status::ok;
}

template <class F>
opgen::Status relu_bwd(const ReluBwdView<F>& op) noexcept {
  const F* dy = op.dy.data;  // *s
  const F* y = op.y.data;    // *s
  F* dx = op.dx.data;        // *s
  const F zero = static_cast<F>(Compared<F>(0));
  opgen::parallel(op.ctx, op.y.numel(), 32768, [=](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) {
      dx[i] = static_cast<Compared<F>>(y[i]) > 0 ? dy[i] : zero;
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
