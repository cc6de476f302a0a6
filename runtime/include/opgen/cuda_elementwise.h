// Elementwise kernels for CUDA, for any op. They move 16 bytes at a time if the tensors allow it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opgen/buffer.h"
#include "opgen/cuda_pack.h"

namespace opgen::cuda {

/// Applies the function to the elements of some packs, position by position.
template <class T, class Function, class... Packs>
__device__ Pack<T> each_of(Function function, const Packs... x) {
  Pack<T> y;
#pragma unroll
  for (int i = 0; i < Pack<T>::width; ++i) y.items[i] = function(x.items[i]...);
  return y;
}

/// y[i] = function(x[i]...) for `n` elements. The first `packs` packs are moved as whole packs.
template <class Function, class T, class... Inputs>
__global__ void each_kernel(Function function, int64_t packs, int64_t n, T* y, Inputs... x) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = first; i < packs; i += step) {
    store(y, i, each_of<T>(function, load<Pack<T>::width>(x, i)...));
  }
  for (int64_t i = packs * Pack<T>::width + first; i < n; i += step) y[i] = function(x[i]...);
}

/// Starts `y = function(x...)`, element by element, on the context's stream. The tensors must be
/// contiguous and have the same shape. `y` may be one of `x`. `function` is called on the device.
template <class Function, class T, class... Inputs>
Status each(const Context& ctx, Function function, const Tensor<T>& y,
            const Tensor<Inputs>&... x) noexcept {
  constexpr int64_t threads = 256;
  constexpr unsigned most_blocks = 1 << 14;  // several waves of the largest GPUs

  const int64_t n = y.numel();
  if (n == 0) return Status::ok;
  const int64_t packs = aligned(y.data, x.data...) ? n / Pack<T>::width : 0;
  const unsigned blocks = std::min(blocks_for(packs > 0 ? packs : n, threads), most_blocks);
  return launch(ctx, each_kernel<Function, T, Inputs*...>, blocks, threads, function, packs, n,
                y.data, x.data...);
}

}  // namespace opgen::cuda
