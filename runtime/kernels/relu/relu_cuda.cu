// max(x, 0) and its gradient on CUDA.
#include "relu.h"

#include <type_traits>

#include "opgen/cuda_elementwise.h"

namespace generated::cuda {

/// Whether x > 0; 16-bit floats have no operators of their own.
template <class T>
__device__ bool positive(T x) {
  using Value = std::conditional_t<std::is_arithmetic_v<T>, T, opgen::accum_t<T>>;
  return static_cast<Value>(x) > 0;
}

template <class T>
struct Relu {
  __device__ T operator()(T x) const { return positive(x) ? x : T(0); }
};

template <class F>
struct ReluBwd {
  __device__ F operator()(F dy, F y) const { return positive(y) ? dy : F(0); }
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
