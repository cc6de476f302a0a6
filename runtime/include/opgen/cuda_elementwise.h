// Elementwise kernels for CUDA, 16 bytes at a time where the tensors allow it; knows no op.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "opgen/buffer.h"
#include "opgen/cuda.h"

namespace opgen::cuda {

/// What one load or store moves: as many elements as fit in 16 bytes.
template <class T>
struct alignas(16) Pack {
  static constexpr int64_t width = 16 / sizeof(T);

  T items[width];
};

/// The function of the elements of some packs.
template <class T, class Function, class... Packs>
__device__ Pack<T> each_of(Function function, const Packs... x) {
  Pack<T> y;
#pragma unroll
  for (int64_t i = 0; i < Pack<T>::width; ++i) y.items[i] = function(x.items[i]...);
  return y;
}

/// y[i] = function(x[i]...) for `n` elements, of which `packs` packs are moved as such.
template <class Function, class T, class... Inputs>
__global__ void each_kernel(Function function, int64_t packs, int64_t n, T* y, Inputs... x) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = first; i < packs; i += step) {
    reinterpret_cast<Pack<T>*>(y)[i] =
        each_of<T>(function, reinterpret_cast<const Pack<T>*>(x)[i]...);
  }
  for (int64_t i = packs * Pack<T>::width + first; i < n; i += step) y[i] = function(x[i]...);
}

/// Starts `y = function(x...)`, element by element, on the context's stream; the tensors are
/// contiguous and of one shape, and `y` may be one of `x`. `function` is called on the device.
template <class Function, class T, class... Inputs>
Status each(const Context& ctx, Function function, const Tensor<T>& y,
            const Tensor<Inputs>&... x) noexcept {
  constexpr int64_t threads = 256;
  constexpr int64_t most_blocks = 1 << 14;  // several waves of the largest GPUs

  const int64_t n = y.numel();
  if (n == 0) return Status::ok;
  const uintptr_t places =
      (reinterpret_cast<uintptr_t>(y.data) | ... | reinterpret_cast<uintptr_t>(x.data));
  const int64_t packs = places % sizeof(Pack<T>) == 0 ? n / Pack<T>::width : 0;
  const int64_t work = packs > 0 ? packs : n;
  const int64_t blocks = std::min((work + threads - 1) / threads, most_blocks);
  each_kernel<<<static_cast<unsigned>(blocks), threads, 0, stream_of(ctx)>>>(
      function, packs, n, y.data, x.data...);
  return launched();
}

}  // namespace opgen::cuda
