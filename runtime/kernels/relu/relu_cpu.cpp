// max(x, 0) and its gradient on the CPU. The comparisons keep a NaN.
#include "relu.h"

#include <type_traits>

#include "opgen/rows.h"

namespace generated::cpu {

/// The type to compute in: 16-bit floats have no operators.
template <class T>
using Value = std::conditional_t<std::is_arithmetic_v<T>, T, opgen::accum_t<T>>;

template <class T>
opgen::Status relu(const ReluView<T>& op) noexcept {
  const T* x = op.x.data;  // *s
  opgen::elementwise<Value<T>>(op.ctx, op.y.data, op.x.numel(), [=](auto v) {
    v.prefetch_if_streaming(x);
    const auto value = v.load(x);
    const opgen::Vector<Value<T>> zero = {};
    return value < 0 ? zero : value;
  });
  return opgen::Status::ok;
}

template <class F>
opgen::Status relu_bwd(const ReluBwdView<F>& op) noexcept {
  const F* dy = op.dy.data;  // *s
  const F* y = op.y.data;    // *s
  opgen::elementwise<Value<F>>(op.ctx, op.dx.data, op.y.numel(), [=](auto v) {
    v.prefetch_if_streaming(dy);
    v.prefetch_if_streaming(y);
    const opgen::Vector<Value<F>> zero = {};
    return v.load(y) <= 0 ? zero : v.load(dy);
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
