// The largest probabilities of a softmax, and their gradient, on CUDA.
//
// Shazeer et al., Outrageously Large Neural Networks, 2017, equations 3 to 5, without the noise. A
// row stays in registers if it fits. Every thread knows the largest of its logits that has not been
// chosen yet. The row's threads choose the largest of these, and its thread then finds its next
// one. topk_softmax_cpu.cpp explains the values that are kept for each row. The same input gives
// the same bits.
#include "topk_softmax.h"

#include <cmath>

#include "opgen/cuda_order.h"
#include "opgen/cuda_rows.h"

namespace generated::cuda {

using opgen::cuda::Pack;
using opgen::cuda::Row;

namespace {

template <class T, int width, int held>
__global__ void
__launch_bounds__(opgen::cuda::most_threads)
topk_softmax_rows(int64_t rows, int64_t columns, int64_t chosen, bool renormalize,
                  const T* logits,  // rows columns
                  float* weights,   // rows chosen
                  int64_t* ids,     // rows chosen
                  float* tops,      // rows
                  float* totals) {  // rows
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? columns / width : 0;
    const Row<T, width, held> zr(logits + row * columns, present);
    // Returns the key of this thread's first logit after the logit with key `last`, or 0 if there
    // is none.
    const auto next = [&](uint64_t last) {
      uint64_t first = 0;
      opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
        const Pack<T, width> zs = zr(k, at);
#pragma unroll
        for (int i = 0; i < width; ++i) {
          const uint64_t key =
              opgen::cuda::ranked(static_cast<float>(zs.items[i]), at * width + i);
          if (key < last && key > first) first = key;
        }
      });
      return first;
    };
    uint64_t mine = next(~uint64_t{0});
    uint64_t best = opgen::cuda::over_row(mine, opgen::cuda::Largest());
    float top = opgen::cuda::float_of(best);
    if (top != top) top = -INFINITY;  // there are only NaNs
    float total = 0;
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> zs = zr(k, at);
#pragma unroll
      for (int i = 0; i < width; ++i) total += std::exp(static_cast<float>(zs.items[i]) - top);
    });
    total = opgen::cuda::over_row(total);
    double whole = 0;
    for (int64_t i = 0; i < chosen; ++i) {
      if (i > 0) best = opgen::cuda::over_row(mine, opgen::cuda::Largest());
      if (mine == best) mine = next(best);
      const float weight = std::exp(opgen::cuda::float_of(best) - top);
      whole += static_cast<double>(weight);
      if (row < rows && i % blockDim.x == threadIdx.x) {
        weights[row * chosen + i] = weight;
        ids[row * chosen + i] = opgen::cuda::index_of(best);
      }
    }
    if (row >= rows) return;
    const float by = renormalize && total == total ? static_cast<float>(whole) : total;
    for (int64_t i = threadIdx.x; i < chosen; i += blockDim.x) weights[row * chosen + i] /= by;
    if (threadIdx.x > 0) return;
    tops[row] = top;
    totals[row] = total;
  });
}

}  // namespace

template <class T>
opgen::Status topk_softmax(const TopkSoftmaxView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, columns = op.desc.e;
  if (columns > opgen::cuda::most_ranked) return opgen::Status::unsupported;
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, topk_softmax_rows<T, width, held>, path.grid(rows),
                               path.block, rows, columns, op.desc.k, op.desc.renormalize != 0,
                               op.logits.data, op.weights.data, op.ids.data, op.top.data,
                               op.total.data);
  }, op.logits.data);
}

namespace {

/// With s = sum(dweights weights): dz = weights (dweights - s) at the ids, and elsewhere -p s, or 0
/// if the weights were renormalised. `packed` means that logits and dlogits have the same alignment
/// modulo 16 bytes.
template <class T, bool packed>
__global__ void topk_softmax_bwd_rows(int64_t rows, int64_t columns, int64_t chosen,
                                      bool renormalize,
                                      const float* dweights,  // rows chosen
                                      const T* logits,        // rows columns
                                      const float* weights,   // rows chosen
                                      const int64_t* ids,     // rows chosen
                                      const float* tops,      // rows
                                      const float* totals,    // rows
                                      T* dlogits) {           // rows columns
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? columns : 0, first_choice = row * chosen;
    double shared = 0;
    for (int64_t i = threadIdx.x; row < rows && i < chosen; i += blockDim.x) {
      shared += static_cast<double>(dweights[first_choice + i]) * weights[first_choice + i];
    }
    const float s = static_cast<float>(opgen::cuda::over_row(shared));
    const T* z = logits + row * columns;
    T* dz = dlogits + row * columns;
    if (renormalize) {
      opgen::cuda::each_place(dz, present, [&](int64_t column, auto width) {
        Pack<T, decltype(width)::value> ds;
#pragma unroll
        for (int i = 0; i < ds.width; ++i) ds.items[i] = s - s;  // NaN if a weight is NaN
        opgen::cuda::store(dz + column, 0, ds);
      });
    } else {
      const float top = row < rows ? tops[row] : 0, by = row < rows ? -s / totals[row] : 0;
      const auto gradient = [&](int64_t column, auto width) {
        constexpr int count = decltype(width)::value;
        const Pack<T, count> zs = opgen::cuda::load<count>(z + column, 0);
        Pack<T, count> ds;
#pragma unroll
        for (int i = 0; i < count; ++i) {
          ds.items[i] = std::exp(static_cast<float>(zs.items[i]) - top) * by;
        }
        opgen::cuda::store(dz + column, 0, ds);
      };
      if constexpr (packed) {
        opgen::cuda::each_place(z, present, gradient);
      } else {
        opgen::cuda::each_pack<0>(present, [&](int, int64_t column) {
          gradient(column, std::integral_constant<int, 1>());
        });
      }
    }
    // If an id occurs twice, the value of the later one is kept.
    for (int64_t begin = 0; begin < chosen; begin += blockDim.x) {
      __syncthreads();  // earlier values have been written
      const int64_t i = begin + threadIdx.x;
      const int64_t end = begin + blockDim.x < chosen ? begin + blockDim.x : chosen;
      if (row >= rows || i >= end) continue;
      const int64_t id = ids[first_choice + i];
      bool stays = 0 <= id && id < columns;
      for (int64_t later = i + 1; stays && later < end; ++later) {
        stays = ids[first_choice + later] != id;
      }
      if (stays) dz[id] = weights[first_choice + i] * (dweights[first_choice + i] - s);
    }
  });
}

}  // namespace

template <class T>
opgen::Status topk_softmax_bwd(const TopkSoftmaxBwdView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, columns = op.desc.e;
  const bool packed = ((reinterpret_cast<uintptr_t>(op.logits.data) ^
                        reinterpret_cast<uintptr_t>(op.dlogits.data)) & 15) == 0;
  const opgen::cuda::Path<Pack<T>::width, 4> path(columns, opgen::cuda::most_threads);
  return opgen::cuda::launch(
      op.ctx, packed ? topk_softmax_bwd_rows<T, true> : topk_softmax_bwd_rows<T, false>,
      path.grid(rows), path.block, rows, columns, op.desc.k, op.desc.renormalize != 0,
      op.dweights.data, op.logits.data, op.weights.data, op.ids.data, op.top.data, op.total.data,
      op.dlogits.data);
}

}  // namespace generated::cuda
