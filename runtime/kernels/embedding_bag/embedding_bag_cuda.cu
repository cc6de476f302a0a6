// Pooled rows of a table, and their gradient, on CUDA. The kernels use no atomics, so the same
// input gives the same bits.
//
// The gradient of the table is summed row by row, in the order of the indices (see
// opgen/cuda_scatter.h). With mode "max", every column of a bag searches all other bags for the
// same maximum element. This takes time quadratic in the number of bags.
#include "embedding_bag.h"

#include "opgen/cuda_rows.h"
#include "opgen/cuda_scatter.h"

namespace generated::cuda {

using opgen::cuda::Integers;
using opgen::cuda::Pack;

enum BagMode : int64_t { bag_sum, bag_mean, bag_max };  // the order of the spec's choices

/// Pools the bags. One row of threads computes each bag.
template <class T, int width>
__global__ void embedding_bags(int64_t bags, int64_t d, int64_t mode,
                               const T* weight,          // rows d
                               Integers indices,         // n
                               Integers offsets,         // bags+1
                               const T* sample_weights,  // n, or null
                               T* y,                     // bags d
                               int64_t* argmax64,        // bags d, or null
                               int32_t* argmax32) {      // bags d, or null
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(bags, [&](int64_t bag) {
    if (bag >= bags) return;
    const int64_t begin = offsets[bag], end = offsets[bag + 1];
    const Acc count = end > begin ? static_cast<Acc>(end - begin) : Acc(1);
    opgen::cuda::each_pack<0>(d / width, [&](int, int64_t at) {
      Pack<Acc, width> pooled{};
      Pack<int64_t, width> best;
#pragma unroll
      for (int i = 0; i < width; ++i) best.items[i] = -1;
#pragma unroll 1
      for (int64_t n = begin; n < end; ++n) {
        const int64_t index = indices[n];
        const Pack<T, width> row = opgen::cuda::load<width>(weight + index * d, at);
        const Acc factor = sample_weights == nullptr ? Acc(1) : static_cast<Acc>(sample_weights[n]);
#pragma unroll
        for (int i = 0; i < width; ++i) {
          const Acc value = static_cast<Acc>(row.items[i]);
          if (mode != bag_max) {
            pooled.items[i] += sample_weights == nullptr ? value : factor * value;
          } else if (n == begin || value > pooled.items[i] ||
                     (value != value && pooled.items[i] == pooled.items[i])) {
            pooled.items[i] = value;
            best.items[i] = index;
          }
        }
      }
      Pack<T, width> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        ys.items[i] = mode == bag_mean ? pooled.items[i] / count : pooled.items[i];
      }
      opgen::cuda::store(y + bag * d, at, ys);
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const int64_t place = bag * d + at * width + i;
        if (argmax64 != nullptr) argmax64[place] = best.items[i];
        if (argmax32 != nullptr) argmax32[place] = static_cast<int32_t>(best.items[i]);
      }
    });
  });
}

template <class T>
opgen::Status embedding_bag(const EmbeddingBagCudaView<T>& op) noexcept {
  const int64_t bags = op.desc.b, d = op.desc.d;
  const bool wide = op.argmax.dtype == opgen::ElementType::I64;
  auto* const argmax64 = static_cast<int64_t*>(wide ? op.argmax.data : nullptr);
  auto* const argmax32 = static_cast<int32_t*>(wide ? nullptr : op.argmax.data);
  return opgen::cuda::by_columns(d, [&](auto path) {
    return opgen::cuda::launch(op.ctx, embedding_bags<T, decltype(path)::width>,
                               path.cut_grid(bags, d), path.block, bags, d, op.desc.mode,
                               op.weight.data, Integers(op.indices), Integers(op.offsets),
                               op.sample_weights.data, op.y.data, argmax64, argmax32);
  }, op.weight.data, op.y.data);
}

/// Returns the bag of entry n: the last bag that starts at or before n and is not empty.
__device__ inline int64_t bag_of(Integers offsets, int64_t bags, int64_t n) {
  int64_t low = 0, high = bags;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    (offsets[middle] <= n ? low : high) = middle;
  }
  return low;
}

/// The term that entry n adds to its row of the table: its bag's cotangent, and a factor.
template <class T>
struct BagEntry {
  using Acc = opgen::accum_t<T>;

  int64_t bags, d, mode;
  const T* dy;              // bags d
  Integers offsets;         // bags+1
  const T* sample_weights;  // n, or null

  __device__ opgen::cuda::Term<T> operator()(int64_t n) const {
    const int64_t bag = bag_of(offsets, bags, n);
    Acc factor = sample_weights == nullptr ? Acc(1) : static_cast<Acc>(sample_weights[n]);
    if (mode == bag_mean) factor /= static_cast<Acc>(offsets[bag + 1] - offsets[bag]);
    return {dy + bag * d, factor};
  }
};

/// The indices of the rows in the bags.
struct Bags {
  Integers indices;  // n
  Integers offsets;  // bags+1

  __device__ bool holds(int64_t bag, int64_t row) const {
    for (int64_t n = offsets[bag]; n < offsets[bag + 1]; ++n) {
      if (indices[n] == row) return true;
    }
    return false;
  }
};

/// The gradient of maxima. For each column of a bag: if no earlier bag has the same maximum
/// element, sums the cotangents of all bags with this element, in order. Other elements stay
/// unchanged.
template <class T>
__global__ void scatter_maxima(int64_t bags, int64_t d,
                               const T* dy,  // bags d
                               Bags held,
                               Integers argmax,  // bags d
                               T* dweight) {     // rows d
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(bags, [&](int64_t bag) {
    if (bag >= bags) return;
    opgen::cuda::each_pack<0>(d, [&](int, int64_t column) {
      const int64_t row = argmax[bag * d + column];
      const auto has = [&](int64_t other) {
        return argmax[other * d + column] == row && held.holds(other, row);
      };
      bool first = has(bag);
      for (int64_t other = 0; first && other < bag; ++other) first = !has(other);
      if (!first) return;
      Acc total = 0;
      for (int64_t other = bag; other < bags; ++other) {
        if (has(other)) total += static_cast<Acc>(dy[other * d + column]);
      }
      dweight[row * d + column] = total;
    });
  });
}

/// dsample_weights[n] = the product of the row of entry n with its bag's cotangent.
template <class T>
__global__ void sample_weight_gradients(int64_t n, int64_t bags, int64_t d,
                                        const T* dy,           // bags d
                                        Integers indices,      // n
                                        Integers offsets,      // bags+1
                                        const T* weight,       // rows d
                                        T* dsample_weights) {  // n
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(n, [&](int64_t entry) {
    Acc total = 0;
    if (entry < n) {
      const int64_t bag = bag_of(offsets, bags, entry);
      const T* ys = dy + bag * d;
      const T* row = weight + indices[entry] * d;
      opgen::cuda::each_pack<0>(
          d, [&](int, int64_t j) { total += static_cast<Acc>(ys[j]) * static_cast<Acc>(row[j]); });
    }
    total = opgen::cuda::over_row(total);
    if (entry < n && threadIdx.x == 0) dsample_weights[entry] = total;
  });
}

template <class T>
opgen::Status embedding_bag_bwd(const EmbeddingBagBwdCudaView<T>& op) noexcept {
  const int64_t bags = op.desc.b, d = op.desc.d, n = op.desc.n, rows = op.desc.rows;
  auto status = opgen::Status::ok;
  if (op.dweight.present() && rows > 0 && d > 0) {
    // With mode "max", this call only writes zeros. The maxima are added afterwards.
    const int64_t entries = op.desc.mode == bag_max ? 0 : n;
    const BagEntry<T> entry{
        bags, d, op.desc.mode, op.dy.data, Integers(op.offsets), op.sample_weights.data};
    status = opgen::cuda::scatter_rows(op.ctx, entries, rows, d, Integers(op.indices), entry,
                                       op.dy.data, op.dweight.data);
    if (status == opgen::Status::ok && op.desc.mode == bag_max && bags > 0) {
      const opgen::cuda::Path<1, 4> path(d, opgen::cuda::narrow_block);
      const Bags held{Integers(op.indices), Integers(op.offsets)};
      status = opgen::cuda::launch(op.ctx, scatter_maxima<T>, path.cut_grid(bags, d), path.block,
                                   bags, d, op.dy.data, held, Integers(op.argmax), op.dweight.data);
    }
  }
  if (status == opgen::Status::ok && op.dsample_weights.present() && n > 0) {
    const opgen::cuda::Path<1, 4> path(d, opgen::cuda::narrow_block);
    status = opgen::cuda::launch(op.ctx, sample_weight_gradients<T>, path.grid(n), path.block, n,
                                 bags, d, op.dy.data, Integers(op.indices), Integers(op.offsets),
                                 op.weight.data, op.dsample_weights.data);
  }
  return status;
}

}  // namespace generated::cuda
