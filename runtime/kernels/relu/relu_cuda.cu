// max(x, 0) and its gradient on CUDA. The comparisons keep a NaN.
#include "relu.h"

#include <type_traits>

#include "opgen/cuda_elementwise.h"

namespace generated::cuda {

/// The type to compare in: 16-bit floats have no operators.
template <class T>
using Value = std::conditional_t<std::is_arithmetic_v<T>, T, opgen::accum_t<T>>;

template <class T>
struct Relu {
  __device__ T operator()(T x) const { return static_cast<Value<T>>(x) < 0 ? T(0) : x; }
};

template <class F>
struct ReluBwd {
  __device__ F operator()(F dy, F y) const { return static_cast<Value<F>>(y) <= 0 ? F(0) : dy; }
};

template <class T>
opgen::Status relu(const ReluView<T>& op) noexcept {
  return opgen::cuda::each(op.ctx, Relu<T>(), op.y, op.x);
}

template <class F>
opgen::Status relu_bwd(const ReluBwdView<F>& op) noexcept {
  return opgen::cuda::each(op.ctx, ReluBwd<F>(), op.dx, op.dy, op.y);
}

}  // namespace generated::cuda
