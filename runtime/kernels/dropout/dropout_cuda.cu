// Dropout on CUDA.
//
// Element i uses the random word of position i (opgen/philox.h). So the bits are the same as on the
// CPU, for any launch.
#include "dropout.h"

#include <algorithm>

#include "opgen/cuda_pack.h"
#include "opgen/philox.h"

namespace generated::cuda {

using opgen::cuda::Pack;

namespace {

/// Computes `n` elements. Whole packs are moved at once if `packed`.
template <class T, bool packed>
__global__ void drop_elements(int64_t n, uint64_t least, opgen::accum_t<T> kept,
                              const int64_t* seed,    // scalar
                              const int64_t* offset,  // scalar, or null
                              const T* x,             // n
                              T* y) {                 // n
  using Acc = opgen::accum_t<T>;
  constexpr int width = Pack<T>::width;
  const opgen::Philox philox(*seed, offset == nullptr ? 0 : *offset);
  const int64_t packs = (n + width - 1) / width;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < packs;
       at += step) {
    const int64_t first = at * width;
    uint32_t words[width];
    philox.fill(static_cast<uint64_t>(first), words);
    const auto dropped = [&](T value, uint32_t word) {
      return word >= least ? static_cast<Acc>(value) / kept : Acc(0);
    };
    if (packed && first + width <= n) {
      const Pack<T> xs = opgen::cuda::load<width>(x, at);
      Pack<T> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) ys.items[i] = dropped(xs.items[i], words[i]);
      opgen::cuda::store(y, at, ys);
    } else {
#pragma unroll
      for (int i = 0; i < width; ++i) {
        if (first + i < n) y[first + i] = dropped(x[first + i], words[i]);
      }
    }
  }
}

}  // namespace

template <class T>
opgen::Status dropout(const DropoutView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  constexpr int64_t threads = 256;
  constexpr unsigned most_blocks = 1 << 14;  // several waves of the largest GPUs
  const int64_t n = op.x.numel();
  const uint64_t least = static_cast<uint64_t>(op.desc.p * 0x1p32);  // p = 1: above any word
  const unsigned blocks =
      std::min(opgen::cuda::blocks_for(n, threads * Pack<T>::width), most_blocks);
  return opgen::cuda::launch(
      op.ctx,
      opgen::cuda::aligned(op.x.data, op.y.data) ? drop_elements<T, true> : drop_elements<T, false>,
      blocks, threads, n, least, static_cast<Acc>(1 - op.desc.p), op.seed.data, op.offset.data,
      op.x.data, op.y.data);
}

}  // namespace generated::cuda
