// Softmax cross-entropy of a product of matrices, and its gradient, on CUDA.
//
// linear_cross_entropy_cpu.cpp has the formulas. In the forward, a block has one tile of logits at
// a time, of 64 rows and 64 classes. It goes through the tiles of its part of the classes, and
// keeps a maximum and a sum for each row. In the backward, the gradient of the logits of up to 1024
// classes is in memory, in T. Products with it use tensor cores if T has 16 bits. The same input
// gives the same bits.
#include "linear_cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "opgen/cuda_matmul.h"
#include "opgen/cuda_softmax.h"

namespace generated::cuda {
namespace {

using opgen::cuda::Factor;
using opgen::cuda::Integers;
using opgen::cuda::narrow_block;
using opgen::cuda::packs_fit;
using opgen::cuda::quick_exp;
using opgen::cuda::tile_side;
using opgen::cuda::tile_threads;

constexpr int64_t most_parts = 16;       // parts of the classes in the forward
constexpr int64_t most_together = 1024;  // classes at a time in the backward

constexpr int64_t tiles_along(int64_t size) { return (size + tile_side - 1) / tile_side; }

/// For each part of the classes and each row: the largest logit, the sum of exp(z - top), and the
/// label's logit if the label is in this part.
template <class Acc>
struct RowSums {
  Acc *top, *total, *at_label;  // parts rows
};

/// Computes the sums. A block computes one part of the classes for one tile of rows.
template <bool packed, class T>
__global__ void
__launch_bounds__(tile_threads)
sum_parts(int64_t rows, int64_t classes, int64_t d, int64_t parts,
          const T* hidden,                     // rows d
          const T* weight,                     // classes d
          Integers labels,                     // rows
          RowSums<opgen::accum_t<T>> sums) {   // parts rows
  using Acc = opgen::accum_t<T>;
  __shared__ Acc z[tile_side][tile_side + 1];

  const int64_t part = blockIdx.x % parts, first = blockIdx.x / parts * tile_side;
  const int64_t across = (classes + tile_side - 1) / tile_side;
  const Factor<T, true, packed> left{hidden, d, rows, d}, right{weight, d, classes, d};
  const int i = threadIdx.x / 2, half = threadIdx.x % 2;  // two threads share a row
  const int64_t row = first + i;
  const int64_t label = row < rows ? labels[row] : -1;
  opgen::cuda::Exponentials<Acc> of;
  Acc at_label = 0;
  for (int64_t tile = part * across / parts; tile < (part + 1) * across / parts; ++tile) {
    const int64_t column = tile * tile_side;
    opgen::cuda::multiply_tile(left, right, first, column, 0, d,
                               [=](int64_t row, int64_t at, Acc sum) {
      z[row - first][at - column] = sum;
    });
    __syncthreads();
    for (int j = half; j < tile_side && row < rows && column + j < classes; j += 2) {
      of.take(opgen::cuda::Pack<Acc, 1>{{z[i][j]}});
      if (column + j == label) at_label = z[i][j];
    }
    __syncthreads();  // this tile has been read, and the next may overwrite it
  }
  of.join_pair();
  at_label += __shfl_xor_sync(0xffffffffu, at_label, 1);
  if (row >= rows || half > 0) return;
  sums.top[part * rows + row] = of.top;
  sums.total[part * rows + row] = of.below + of.equal;
  sums.at_label[part * rows + row] = at_label;
}

/// Computes the losses of rows from the sums of all parts.
template <class Acc>
__global__ void __launch_bounds__(narrow_block)
join_parts(int64_t rows, int64_t classes, int64_t parts, int64_t ignore_index,
           Integers labels,    // rows
           RowSums<Acc> sums,  // parts rows
           Acc* tops,          // rows
           Acc* log_sums,      // rows
           Acc* losses) {      // rows
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t across = (classes + tile_side - 1) / tile_side;
  for (int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; row < rows;
       row += step) {
    Acc top = sums.top[row], total = 0, at_label = 0;
    for (int64_t i = 1; i < parts; ++i) {
      top = opgen::cuda::Largest()(top, sums.top[i * rows + row]);
    }
    const int64_t label = labels[row], tile = label / tile_side;
    for (int64_t i = 0; i < parts; ++i) {
      total += sums.total[i * rows + row] * quick_exp(sums.top[i * rows + row] - top);
      if (i * across / parts <= tile && tile < (i + 1) * across / parts) {
        at_label = sums.at_label[i * rows + row];
      }
    }
    const Acc log_sum = std::log(total) + (top - top);  // infinity - itself is NaN
    tops[row] = top;
    log_sums[row] = log_sum;
    losses[row] = label == ignore_index ? Acc(0) : log_sum + (top - at_label);
  }
}

/// Starts a kernel with a block for every tile, unless there are no tiles.
template <class... Parameters, class... Arguments>
opgen::Status start(const opgen::Context& ctx, int64_t tiles, void (*kernel)(Parameters...),
                    const Arguments&... arguments) noexcept {
  if (tiles == 0) return opgen::Status::ok;
  if (tiles >= int64_t{1} << 31) return opgen::Status::unsupported;
  return opgen::cuda::launch(ctx, kernel, static_cast<unsigned>(tiles), tile_threads, arguments...);
}

}  // namespace

template <class T>
opgen::Status linear_cross_entropy(const LinearCrossEntropyCudaView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t rows = op.top.numel(), classes = op.desc.c, d = op.desc.d;
  const int64_t parts = std::min(tiles_along(classes), most_parts);
  const bool reduced = op.losses.present();
  Acc* const losses = reduced ? op.losses.data : op.loss.data;  // rows
  const Integers labels(op.labels);                             // rows
  const RowSums<Acc> sums{op.parts.data, op.parts.data + most_parts * rows,
                          op.parts.data + 2 * most_parts * rows};
  auto status = opgen::Status::ok;
  if (rows > 0) {
    const bool packed = packs_fit(op.hidden.data, d) && packs_fit(op.weight.data, d);
    status = start(op.ctx, tiles_along(rows) * parts,
                   packed ? sum_parts<true, T> : sum_parts<false, T>,
                   rows, classes, d, parts, op.hidden.data, op.weight.data, labels, sums);
    if (status != opgen::Status::ok) return status;
    status = opgen::cuda::launch(op.ctx, join_parts<Acc>, opgen::cuda::blocks_for(rows, narrow_block),
                                 narrow_block, rows, classes, parts, op.desc.ignore_index, labels,
                                 sums, op.top.data, op.log_sum.data, losses);
  }
  if (status != opgen::Status::ok || !reduced) return status;
  return opgen::cuda::launch(op.ctx, opgen::cuda::reduce_losses<Acc>, 1, opgen::cuda::most_threads,
                             rows, op.desc.ignore_index, losses, labels, op.loss.data,
                             op.count.data);
}

namespace {

/// dz of `columns` classes from `first` on.
template <bool packed, class T>
__global__ void __launch_bounds__(tile_threads)
gradients_of_logits(int64_t rows, int64_t d, int64_t first, int64_t columns, int64_t ignore_index,
                    const T* hidden,                 // rows d
                    const T* weight,                 // classes d
                    Integers labels,                 // rows
                    const opgen::accum_t<T>* tops,   // rows
                    const opgen::accum_t<T>* log_sums,  // rows
                    const opgen::accum_t<T>* dloss,  // rows, or a scalar
                    int64_t dloss_step,              // 1, or 0
                    const opgen::accum_t<T>* count,  // scalar, or null
                    T* dz) {                         // rows columns
  using Acc = opgen::accum_t<T>;
  const int64_t across = (columns + tile_side - 1) / tile_side;
  const Factor<T, true, packed> left{hidden, d, rows, d};
  const Factor<T, true, packed> right{weight + first * d, d, columns, d};
  opgen::cuda::multiply_tile(left, right, blockIdx.x / across * tile_side,
                             blockIdx.x % across * tile_side, 0, d,
                             [=](int64_t row, int64_t column, Acc z) {
    const int64_t label = labels[row];
    const Acc scale = dloss[row * dloss_step] / (count == nullptr ? Acc(1) : *count);
    const Acc p = quick_exp(z - tops[row] - log_sums[row]);
    const Acc change = p - (first + column == label ? Acc(1) : Acc(0));
    dz[row * columns + column] = static_cast<T>(label == ignore_index ? Acc(0) : scale * change);
  });
}

/// c = a b, or c += a b if `add` is true.
template <bool inner_first, bool packed, class T, class C>
__global__ void __launch_bounds__(tile_threads)
multiply(Factor<T, inner_first, packed> a, Factor<T, false, packed> b, bool add,
         C* c) {  // a.outer b.outer
  const int64_t across = (b.outer + tile_side - 1) / tile_side, step = b.outer;
  opgen::cuda::multiply_tile(a, b, blockIdx.x / across * tile_side,
                             blockIdx.x % across * tile_side, 0, a.inner,
                             [=](int64_t row, int64_t column, auto sum) {
    C& to = c[row * step + column];
    to = static_cast<C>(add ? static_cast<decltype(sum)>(to) + sum : sum);
  });
}

template <bool inner_first, class T, class C>
opgen::Status product(const opgen::Context& ctx, int64_t rows, int64_t columns, int64_t inner,
                      const T* a, int64_t a_step, const T* b, bool add, C* c) noexcept {
  const auto multiplied = [&](auto packed) {
    using Left = Factor<T, inner_first, packed.value>;
    using Right = Factor<T, false, packed.value>;
    return start(ctx, tiles_along(rows) * tiles_along(columns),
                 multiply<inner_first, packed.value, T, C>, Left{a, a_step, rows, inner},
                 Right{b, columns, columns, inner}, add, c);
  };
  return packs_fit(a, a_step) && packs_fit(b, columns) ? multiplied(std::true_type())
                                                       : multiplied(std::false_type());
}

}  // namespace

template <class T>
opgen::Status linear_cross_entropy_bwd(const LinearCrossEntropyBwdCudaView<T>& op) noexcept {
  const int64_t rows = op.top.numel(), classes = op.desc.c, d = op.desc.d;
  const int64_t dloss_step = op.dloss.rank > 0 ? 1 : 0;
  const bool packed = packs_fit(op.hidden.data, d) && packs_fit(op.weight.data, d);
  T* const dz = reinterpret_cast<T*>(op.dlogits.data);  // rows columns
  auto status = opgen::Status::ok;
  for (int64_t first = 0; first < classes; first += most_together) {
    const int64_t columns = std::min(most_together, classes - first);
    status = start(op.ctx, tiles_along(rows) * tiles_along(columns),
                   packed ? gradients_of_logits<true, T> : gradients_of_logits<false, T>, rows, d,
                   first, columns, op.desc.ignore_index, op.hidden.data, op.weight.data,
                   Integers(op.labels), op.top.data, op.log_sum.data, op.dloss.data,
                   dloss_step, op.count.data, dz);
    if (status == opgen::Status::ok && op.dhidden.present()) {
      status = product<true>(op.ctx, rows, d, columns, dz, columns, op.weight.data + first * d,
                             first > 0, op.dhidden.data);
    }
    if (status == opgen::Status::ok && op.dweight.present()) {
      status = product<false>(op.ctx, columns, d, rows, dz, columns, op.hidden.data, false,
                              op.dweight.data + first * d);
    }
    if (status != opgen::Status::ok) return status;
  }
  return status;
}

}  // namespace generated::cuda
