// Root-mean-square normalization as in PyTorch, Llama and Gemma, and its gradient, on CUDA.
// rms_layer_norm_cpu.cpp has the formulas.
//
// A row is read once if it fits into the registers of its threads. Sums are in Acc: f32 for 16-bit
// types. The same input gives the same bits.
#include "rms_layer_norm.h"

#include "opgen/cuda_rows.h"

namespace generated::cuda {

using opgen::cuda::Pack;
using opgen::cuda::Row;

namespace {

/// The number of threads of a row in the backward. They keep two rows, and a row of sums, in
/// registers.
constexpr int most_threads = 512;

/// The factor of a row's elements: `weight + offset`, or 1 without a weight.
template <class Acc, class W, int width>
__device__ Pack<Acc, width> factors(const W* weight, Acc offset, int64_t at) {
  Pack<Acc, width> found;
  if (weight == nullptr) {
#pragma unroll
    for (int i = 0; i < width; ++i) found.items[i] = 1;
    return found;
  }
  const Pack<W, width> weights = opgen::cuda::load<width>(weight, at);
#pragma unroll
  for (int i = 0; i < width; ++i) found.items[i] = static_cast<Acc>(weights.items[i]) + offset;
  return found;
}

template <class T, class W, class Y, int width, int held>
__global__ void
__launch_bounds__(opgen::cuda::most_threads)
rms_layer_norm_rows(int64_t rows, int64_t columns, opgen::accum_t<T> eps, opgen::accum_t<T> offset,
                    bool cast_first,
                    const T* x,                // rows columns
                    const W* weight,           // columns
                    Y* y,                      // rows columns
                    opgen::accum_t<T>* rstd) { // rows
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    Acc squares = 0;
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc value = static_cast<Acc>(xs.items[i]);
        squares += value * value;
      }
    });
    const Acc mean = opgen::cuda::over_row(squares) / static_cast<Acc>(columns);
    const Acc scale = 1 / std::sqrt(mean + eps);
    if (row < rows && threadIdx.x == 0) rstd[row] = scale;
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
      const Pack<Acc, width> by = factors<Acc, W, width>(weight, offset, at);
      Pack<T, width> normal;
      Pack<Y, width> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc h = static_cast<Acc>(xs.items[i]) * scale;
        normal.items[i] = h;
        ys.items[i] = (cast_first ? static_cast<Acc>(normal.items[i]) : h) * by.items[i];
      }
      opgen::cuda::store(y + row * columns, at, ys);
    });
  });
}

/// Every block sums its rows' part of dweight in one row of `part_grad`, unless it is null.
template <class T, class W, class Y, int width, int held>
__global__ void __launch_bounds__(most_threads)
rms_layer_norm_bwd_rows(int64_t rows, int64_t columns, opgen::accum_t<T> offset,
                        const Y* dy,                    // rows columns
                        const T* x,                     // rows columns
                        const opgen::accum_t<T>* rstd,  // rows
                        const W* weight,                // columns
                        T* dx,                          // rows columns
                        opgen::accum_t<T>* part_grad) { // blocks columns
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::ColumnTotals<Acc, width, held> dweight(part_grad, columns);
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    const Row<Y, width, held> dyr(dy + row * columns, present);
    const Acc scale = row < rows ? rstd[row] : Acc(0);
    Acc sum = 0;
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
      const Pack<Y, width> dys = dyr(k, at);
      const Pack<Acc, width> by = factors<Acc, W, width>(weight, offset, at);
      Pack<Acc, width> terms;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc h = static_cast<Acc>(xs.items[i]) * scale;
        const Acc d = static_cast<Acc>(dys.items[i]);
        sum += d * by.items[i] * h;
        terms.items[i] = d * h;
      }
      dweight.add(k, at, terms);
    });
    const Acc mean = opgen::cuda::over_row(sum) / static_cast<Acc>(columns);
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
      const Pack<Y, width> dys = dyr(k, at);
      const Pack<Acc, width> by = factors<Acc, W, width>(weight, offset, at);
      Pack<T, width> dxs;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc h = static_cast<Acc>(xs.items[i]) * scale;
        dxs.items[i] = scale * (static_cast<Acc>(dys.items[i]) * by.items[i] - h * mean);
      }
      opgen::cuda::store(dx + row * columns, at, dxs);
    });
  });
  dweight.finish();
}

}  // namespace

template <class T, class W, class Y>
opgen::Status rms_layer_norm(const RmsLayerNormView<T, W, Y>& op) noexcept {
  const int64_t rows = op.desc.rows, columns = op.desc.columns;
  const bool cast_first = op.desc.cast_first != 0 && op.weight.data != nullptr;
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, rms_layer_norm_rows<T, W, Y, width, held>, path.grid(rows),
                               path.block, rows, columns, op.desc.eps, op.desc.offset, cast_first,
                               op.x.data, op.weight.data, op.y.data, op.rstd.data);
  }, op.x.data, op.weight.data, op.y.data);
}

template <class T, class W, class Y>
opgen::Status rms_layer_norm_bwd(const RmsLayerNormBwdView<T, W, Y>& op) noexcept {
  const int64_t rows = op.desc.rows, columns = op.desc.columns;
  const bool weighted = op.weight.data != nullptr;
  unsigned parts = 0;
  if (rows > 0 && columns > 0) {
    const auto status = opgen::cuda::by_path<most_threads>(columns, [&](auto path) {
      constexpr int width = decltype(path)::width, held = decltype(path)::held;
      parts = path.grid(rows);
      if (weighted) parts = std::min(parts, static_cast<unsigned>(op.part_grad.size(0)));
      return opgen::cuda::launch(op.ctx, rms_layer_norm_bwd_rows<T, W, Y, width, held>, parts,
                                 path.block, rows, columns, op.desc.offset, op.dy.data, op.x.data,
                                 op.rstd.data, op.weight.data, op.dx.data, op.part_grad.data);
    }, op.dy.data, op.x.data, op.weight.data, op.dx.data, op.part_grad.data);
    if (status != opgen::Status::ok) return status;
  }
  if (!weighted) return opgen::Status::ok;
  return opgen::cuda::sum_columns(op.ctx, parts, columns, op.part_grad.data, op.dweight.data);
}

}  // namespace generated::cuda
