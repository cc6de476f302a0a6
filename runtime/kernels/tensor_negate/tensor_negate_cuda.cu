// -x on CUDA.
#include "tensor_negate.h"

#include "opgen/cuda_elementwise.h"

namespace generated::cuda {

template <class T>
struct Negative {
  __device__ T operator()(T x) const { return static_cast<T>(-x); }
};

template <class T>
opgen::Status tensor_negate(const TensorNegateView<T>& op) noexcept {
  return opgen::cuda::each(op.ctx, Negative<T>(), op.y, op.x);
}

}  // namespace generated::cuda
