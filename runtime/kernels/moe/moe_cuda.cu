// Sorts rows of tokens by their experts, and combines them again, on CUDA. The kernels use no
// atomics, so the same input gives the same bits.
//
// There is a block for each expert. It reads all ids twice, which are few bytes compared with the
// rows. First it counts the entries of earlier experts. Then it writes the positions of its own
// entries, in order.
#include "moe.h"

#include "opgen/cuda_rows.h"
#include "opgen/cuda_scatter.h"

namespace generated::cuda {

using opgen::cuda::Integers;
using opgen::cuda::Pack;

constexpr int moe_threads = 256;
constexpr int moe_warps = moe_threads / opgen::cuda::warp_size;

/// Block n writes offsets[n], the number of ids below n, and the positions of entries with id n.
template <class I>
__global__ void
__launch_bounds__(moe_threads)
    sort_experts(int64_t entries, int64_t experts,
                 const I* ids,      // entries
                 int32_t* offsets,  // experts+1
                 int32_t* places) {  // entries
  __shared__ int of_warp[moe_warps];
  const int64_t expert = blockIdx.x;
  const int lane = threadIdx.x % opgen::cuda::warp_size;
  const int warp = threadIdx.x / opgen::cuda::warp_size;
  // Returns the number of threads of the block with `yes`, and sets `before` to the number of
  // those before this thread.
  const auto votes = [&](bool yes, int& before) {
    const unsigned of_own = __ballot_sync(0xffffffffu, yes);
    if (lane == 0) of_warp[warp] = __popc(of_own);
    __syncthreads();
    before = __popc(of_own & ((1u << lane) - 1));
    int all = 0;
    for (int other = 0; other < moe_warps; ++other) {
      if (other < warp) before += of_warp[other];
      all += of_warp[other];
    }
    __syncthreads();
    return all;
  };
  int64_t next = 0;
  int before = 0;
  for (int64_t first = 0; first < entries; first += moe_threads) {
    const int64_t i = first + threadIdx.x;
    next += votes(i < entries && ids[i] < expert, before);
  }
  if (threadIdx.x == 0) offsets[expert] = static_cast<int32_t>(next);
  if (expert == experts) return;
  for (int64_t first = 0; first < entries; first += moe_threads) {
    const int64_t i = first + threadIdx.x;
    const bool own = i < entries && ids[i] == expert;
    const int all = votes(own, before);
    if (own) places[i] = static_cast<int32_t>(next + before);
    next += all;
  }
}

/// rows[places[i]] = x[i / k].
template <class T, int width>
__global__ void copy_to_experts(int64_t entries, int64_t k, int64_t d,
                                const T* x,             // t d
                                const int32_t* places,  // entries
                                T* rows) {              // entries d
  opgen::cuda::each_row(entries, [&](int64_t i) {
    if (i >= entries) return;
    const T* from = x + i / k * d;
    T* to = rows + places[i] * d;
    opgen::cuda::each_pack<0>(d / width, [&](int, int64_t at) {
      opgen::cuda::store(to, at, opgen::cuda::load<width>(from, at));
    });
  });
}

template <class T, class I>
opgen::Status moe_permute(const MoePermuteView<T, I>& op) noexcept {
  const int64_t entries = op.ids.numel(), d = op.desc.d;
  const auto status = opgen::cuda::launch(
      op.ctx, sort_experts<I>, dim3(static_cast<unsigned>(op.desc.e + 1)), dim3(moe_threads),
      entries, op.desc.e, op.ids.data, op.offsets.data, op.places.data);
  if (status != opgen::Status::ok || entries == 0 || d == 0) return status;
  return opgen::cuda::by_columns(
      d,
      [&](auto path) {
        return opgen::cuda::launch(op.ctx, copy_to_experts<T, path.width>,
                                   path.cut_grid(entries, d), path.block, entries, op.desc.k, d,
                                   op.x.data, op.places.data, op.rows.data);
      },
      op.x.data, op.rows.data);
}

/// y[i] = the sum over j of weights[i, j] * rows[places[i, j]].
template <class T, class W, int width>
__global__ void add_experts(int64_t tokens, int64_t k, int64_t d,
                            const T* rows,          // tokens*k d
                            const int32_t* places,  // tokens k
                            const W* weights,       // tokens k, or null
                            T* y) {                 // tokens d
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(tokens, [&](int64_t token) {
    if (token >= tokens) return;
    opgen::cuda::each_pack<0>(d / width, [&](int, int64_t at) {
      Acc total[width] = {};
      for (int64_t i = token * k; i < (token + 1) * k; ++i) {
        const Acc factor = weights == nullptr ? Acc(1) : static_cast<Acc>(weights[i]);
        const Pack<T, width> row = opgen::cuda::load<width>(rows + places[i] * d, at);
#pragma unroll
        for (int n = 0; n < width; ++n) total[n] += static_cast<Acc>(row.items[n]) * factor;
      }
      Pack<T, width> sums;
#pragma unroll
      for (int n = 0; n < width; ++n) sums.items[n] = total[n];
      opgen::cuda::store(y + token * d, at, sums);
    });
  });
}

template <class T, class W>
opgen::Status moe_unpermute(const MoeUnpermuteView<T, W>& op) noexcept {
  const int64_t tokens = op.desc.t, d = op.desc.d;
  return opgen::cuda::by_columns(
      d,
      [&](auto path) {
        return opgen::cuda::launch(op.ctx, add_experts<T, W, path.width>, path.cut_grid(tokens, d),
                                   path.block, tokens, op.desc.k, d, op.rows.data, op.places.data,
                                   op.weights.data, op.y.data);
      },
      op.rows.data, op.y.data);
}

/// The term that entry n adds to its row: its token's cotangent times its weight.
template <class T, class W>
struct EntryOfToken {
  int64_t k, d;
  const T* dy;       // t d
  const W* weights;  // t k, or null

  __device__ opgen::cuda::Term<T> operator()(int64_t n) const {
    using Acc = opgen::accum_t<T>;
    return {dy + n / k * d, weights == nullptr ? Acc(1) : static_cast<Acc>(weights[n])};
  }
};

/// dweights[n] = the product of the row of entry n with its token's cotangent.
template <class T>
__global__ void weight_gradients(int64_t entries, int64_t k, int64_t d,
                                 const T* dy,                   // t d
                                 const T* rows,                 // entries d
                                 const int32_t* places,         // entries
                                 opgen::accum_t<T>* dweights) {  // entries
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(entries, [&](int64_t n) {
    Acc total = 0;
    if (n < entries) {
      const T* of_token = dy + n / k * d;
      const T* row = rows + places[n] * d;
      opgen::cuda::each_pack<0>(d, [&](int, int64_t j) {
        total += static_cast<Acc>(of_token[j]) * static_cast<Acc>(row[j]);
      });
    }
    total = opgen::cuda::over_row(total);
    if (n < entries && threadIdx.x == 0) dweights[n] = total;
  });
}

template <class T, class W>
opgen::Status moe_unpermute_dgrad(const MoeUnpermuteDgradView<T, W>& op) noexcept {
  const int64_t entries = op.places.numel(), d = op.desc.d;
  const EntryOfToken<T, W> entry{op.desc.k, d, op.dy.data, op.weights.data};
  const opgen::Buffer places{const_cast<int32_t*>(op.places.data), op.places.sizes,
                             op.places.strides, op.places.rank, opgen::ElementType::I32};
  return opgen::cuda::scatter_rows(op.ctx, entries, entries, d, Integers(places), entry, op.dy.data,
                                   op.drows.data);
}

template <class T>
opgen::Status moe_unpermute_wgrad(const MoeUnpermuteWgradView<T>& op) noexcept {
  const int64_t entries = op.places.numel(), d = op.desc.d;
  const opgen::cuda::Path<1, 4> path(d, opgen::cuda::narrow_block);
  return opgen::cuda::launch(op.ctx, weight_gradients<T>, path.grid(entries), path.block, entries,
                             op.desc.k, d, op.dy.data, op.rows.data, op.places.data,
                             op.dweights.data);
}

}  // namespace generated::cuda
