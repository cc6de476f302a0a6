#include "demanding.h"

#include "opgen/cuda.h"

namespace boundary::cuda {

template <class T>
__global__ void scale(const T* x, T* y, int64_t count, double factor) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < count) y[i] = static_cast<T>(x[i] * factor);
}

__global__ void mark(int32_t* ran, int64_t count) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < count) ran[i] = 1;
}

template <class T>
opgen::Status scaled(const ScaledView<T>& op) noexcept {
  const cudaStream_t stream = opgen::stream_of(op.ctx);
  const int64_t count = op.y.numel(), rows = op.ran.numel();
  scale<T><<<(count + 255) / 256, 256, 0, stream>>>(op.x.data, op.y.data, count, op.desc.factor);
  mark<<<(rows + 255) / 256, 256, 0, stream>>>(op.ran.data, rows);
  return opgen::launched();
}

}  // namespace boundary::cuda
