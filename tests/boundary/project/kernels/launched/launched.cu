#include "launched.h"

namespace boundary::cuda {

/// A block for each row; its first thread sums it.
template <class T>
__global__ void shift_rows(ShiftedDeviceView<T> op) {
  using Acc = typename ShiftedDeviceView<T>::Acc;
  const int64_t n = op.desc.n, row = blockIdx.x;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    const Acc shift = op.shift == nullptr ? Acc(0) : static_cast<Acc>(op.shift[i]);
    op.y[row * n + i] = static_cast<T>(static_cast<Acc>(op.x[row * n + i]) + shift);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  Acc total = 0;
  for (int64_t i = 0; i < n; ++i) total += static_cast<Acc>(op.y[row * n + i]);
  op.total[row] = total;
}

}  // namespace boundary::cuda
