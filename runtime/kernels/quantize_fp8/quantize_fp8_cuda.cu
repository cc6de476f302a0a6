// Quantises numbers to fp8, with one scale for each block of a row, on CUDA.
//
// Micikevicius et al., FP8 Formats for Deep Learning, 2022: scale = max(|x|, floor) / limit, so
// that nothing overflows. A NaN in a block makes the whole block NaN. A warp, or a part of a warp,
// keeps a block in registers.
#include "quantize_fp8.h"

#include <cmath>

#include "opgen/cuda_rows.h"
#include "opgen/float8_narrow.h"

namespace generated::cuda {

using opgen::cuda::Pack;
using opgen::cuda::warp_size;

namespace {

/// The number of threads that share a block of `columns` elements.
template <int columns, int width>
constexpr int threads_of_block = columns / width < warp_size ? columns / width : warp_size;

template <int columns, int width, class T, class Q>
__global__ void quantize_blocks(int64_t count,
                                int64_t of_row,  // blocks of a row
                                float floor,
                                const T* x,     // count columns
                                Q* q,           // count columns
                                float* scales,  // count, apart as steps say
                                int64_t row_step, int64_t column_step) {
  constexpr int across = threads_of_block<columns, width>, held = columns / width / across;
  constexpr float limit = opgen::Float8<Q>::limit;
  const int lane = threadIdx.x % across;
  const int64_t at_once = blockDim.x / across;
  for (int64_t first = blockIdx.x * at_once; first < count; first += gridDim.x * at_once) {
    const int64_t block = first + threadIdx.x / across;
    Pack<T, width> xs[held];
    float most = 0;
    if (block < count) {
#pragma unroll
      for (int k = 0; k < held; ++k) {
        xs[k] = opgen::cuda::load<width>(x + block * columns, lane + k * across);
#pragma unroll
        for (int i = 0; i < width; ++i) {
          most = opgen::cuda::Largest()(most, std::abs(static_cast<float>(xs[k].items[i])));
        }
      }
    }
#pragma unroll
    for (int other = across / 2; other > 0; other /= 2) {
      most = opgen::cuda::Largest()(most, __shfl_xor_sync(0xffffffffu, most, other));
    }
    if (block >= count) continue;
    const float scale = (most < floor ? floor : most) / limit;
    if (lane == 0) scales[block / of_row * row_step + block % of_row * column_step] = scale;
#pragma unroll
    for (int k = 0; k < held; ++k) {
      Pack<Q, width> qs;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        qs.items[i] = opgen::Float8<Q>::saturated(static_cast<float>(xs[k].items[i]) / scale);
      }
      opgen::cuda::store(q + block * columns, lane + k * across, qs);
    }
  }
}

template <int columns, int width, class T, class Q>
opgen::Status quantize(const QuantizeFp8View<T, Q>& op) noexcept {
  constexpr int threads = opgen::cuda::narrow_block;
  const int64_t count = op.desc.m * op.desc.kb;
  const unsigned blocks =
      opgen::cuda::blocks_for(count, threads / threads_of_block<columns, width>);
  return opgen::cuda::launch(op.ctx, quantize_blocks<columns, width, T, Q>, blocks, threads, count,
                             op.desc.kb, static_cast<float>(op.desc.floor), op.x.data, op.q.data,
                             op.scale.data, op.scale.stride(0), op.scale.stride(1));
}

}  // namespace

template <class T, class Q>
opgen::Status quantize_fp8(const QuantizeFp8View<T, Q>& op) noexcept {
  constexpr int wide = Pack<T>::width;
  const bool packed = opgen::cuda::aligned(op.x.data, op.q.data);
  switch (op.desc.block) {
    case 64: return packed ? quantize<64, wide>(op) : quantize<64, 1>(op);
    case 128: return packed ? quantize<128, wide>(op) : quantize<128, 1>(op);
    default: return opgen::Status::unsupported;
  }
}

}  // namespace generated::cuda
