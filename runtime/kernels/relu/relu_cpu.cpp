// max(x, 0) and its gradient on the CPU.
#include "relu.h"

#include <type_traits>

namespace generated::cpu {

/// The type to compute in: 16-bit floats have no operators of their own.
template <class T>
using Value = std::conditional_t<std::is_arithmetic_v<T>, T, opgen::accum_t<T>>;

template <class T>
opgen::Status relu(const ReluView<T>& op) noexcept {
  const T* x = op.x.data;  // *s
  T* y = op.y.data;        // *s
  opgen::parallel(op.ctx, op.x.numel(), 32768, [=](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) {
      const auto value = static_cast<Value<T>>(x[i]);
      y[i] = value > 0 ? value : Value<T>(0);
    }
  });
  return opgen::Status::ok;
}

template <class F>
opgen::Status relu_bwd(const ReluBwdView<F>& op) noexcept {
  const F* dy = op.dy.data;  // *s
  const F* y = op.y.data;    // *s
  F* dx = op.dx.data;        // *s
  opgen::parallel(op.ctx, op.y.numel(), 32768, [=](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) {
      const auto gradient = static_cast<Value<F>>(dy[i]);
      dx[i] = static_cast<Value<F>>(y[i]) > 0 ? gradient : Value<F>(0);
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
