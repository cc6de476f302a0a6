// Root-mean-square normalization and its gradient on CUDA. rms_norm_cpu.cpp has the formulas.
//
// A row is read once if it fits into the registers of its threads. Sums are in Acc: f32 for 16-bit
// types. The same input gives the same bits.
#include "rms_norm.h"

#include "opgen/cuda_rows.h"

namespace generated::cuda {

using opgen::cuda::Pack;
using opgen::cuda::Row;

template <class T, class W>
using Wide = opgen::promote_t<opgen::accum_t<T>, opgen::accum_t<W>>;

/// The number of threads of a row in the backward. They keep two rows, and a row of sums, in
/// registers.
constexpr int bwd_threads = 512;

/// The mean of the squares of a row of `present` packs. All threads of the block must call this
/// function.
template <int held, class T, int width>
__device__ opgen::accum_t<T> mean_square(const Row<T, width, held>& xr, int64_t present,
                                         int64_t columns) {
  using Acc = opgen::accum_t<T>;
  Acc squares = 0;
  opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
    const Pack<T, width> xs = xr(k, at);
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const Acc value = static_cast<Acc>(xs.items[i]);
      squares += value * value;
    }
  });
  return opgen::cuda::over_row(squares) / static_cast<Acc>(columns);
}

/// Computes y and invvar. `squares` has the mean square of each row if `given` is true. Otherwise
/// the mean squares are computed here.
template <bool given, class T, class W, int width, int held>
__global__ void
__launch_bounds__(opgen::cuda::most_threads)
rms_norm_rows(int64_t rows, int64_t columns, opgen::accum_t<T> eps,
              const T* x,                        // rows columns
              const W* weight,                   // columns
              const opgen::accum_t<T>* squares,  // rows
              W* y,                              // rows columns
              opgen::accum_t<T>* invvar) {       // rows
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    Acc mean = 0;
    if constexpr (given) {
      if (row < rows) mean = squares[row];
    } else {
      mean = mean_square(xr, present, columns);
    }
    const Acc scale = 1 / std::sqrt(mean + eps);
    if (row < rows && threadIdx.x == 0) invvar[row] = scale;
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
      const Pack<W, width> weights = opgen::cuda::load<width>(weight, at);
      Pack<W, width> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc normal = static_cast<Acc>(xs.items[i]) * scale;
        ys.items[i] = static_cast<Wide<T, W>>(normal) * static_cast<Wide<T, W>>(weights.items[i]);
      }
      opgen::cuda::store(y + row * columns, at, ys);
    });
  });
}

template <bool given, class T, class W, class View>
opgen::Status scale_rows(const View& op, int64_t rows, int64_t columns,
                         const opgen::accum_t<T>* squares) noexcept {
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, rms_norm_rows<given, T, W, width, held>, path.grid(rows),
                               path.block, rows, columns, op.desc.eps, op.x.data, op.weight.data,
                               squares, op.y.data, op.invvar.data);
  }, op.x.data, op.weight.data, op.y.data);
}

template <class T, class W>
opgen::Status rms_norm(const RmsNormView<T, W>& op) noexcept {
  return scale_rows<false, T, W>(op, op.desc.n1, op.desc.n2, nullptr);
}

template <class T, class W>
opgen::Status rms_norm_scale(const RmsNormScaleView<T, W>& op) noexcept {
  return scale_rows<true, T, W>(op, op.desc.batch, op.desc.norm, op.squares.data);
}

template <class T, int width, int held>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
mean_square_rows(int64_t rows, int64_t columns,
                 const T* x,                    // rows columns
                 opgen::accum_t<T>* squares) {  // rows
  const int64_t packs = columns / width;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    const auto mean = mean_square(xr, present, columns);
    if (row < rows && threadIdx.x == 0) squares[row] = mean;
  });
}

template <class T>
opgen::Status rms_norm_squares(const RmsNormSquaresView<T>& op) noexcept {
  const int64_t rows = op.desc.rows, columns = op.desc.columns;
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, mean_square_rows<T, width, held>, path.grid(rows),
                               path.block, rows, columns, op.x.data, op.squares.data);
  }, op.x.data);
}

/// Every block sums its rows' part of dweight in one row of `part_grad`. `products` has the mean of
/// g * h for each row if `given` is true. Otherwise these means are computed here.
template <bool given, class T, class W, int width, int held>
__global__ void __launch_bounds__(bwd_threads)
rms_norm_bwd_rows(int64_t rows, int64_t columns,
                  const W* dy,                      // rows columns
                  const opgen::accum_t<T>* invvar,  // rows
                  const T* x,                       // rows columns
                  const W* weight,                  // columns
                  const Wide<T, W>* products,       // rows
                  T* dx,                            // rows columns
                  opgen::accum_t<T>* part_grad) {   // blocks columns
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::ColumnTotals<Acc, width, held> dweight(part_grad, columns);
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    const Row<W, width, held> dyr(dy + row * columns, present);
    const Acc scale = row < rows ? invvar[row] : Acc(0);
    Wide<T, W> sum = 0;
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
      const Pack<W, width> dys = dyr(k, at), weights = opgen::cuda::load<width>(weight, at);
      Pack<Acc, width> terms;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Wide<T, W> h = static_cast<Acc>(xs.items[i]) * scale;
        const Wide<T, W> d = static_cast<Wide<T, W>>(dys.items[i]);
        if constexpr (!given) sum += d * static_cast<Wide<T, W>>(weights.items[i]) * h;
        terms.items[i] = static_cast<Acc>(d * h);
      }
      dweight.add(k, at, terms);
    });
    Wide<T, W> mean = 0;
    if constexpr (given) {
      if (row < rows) mean = products[row];
    } else {
      mean = opgen::cuda::over_row(sum) / static_cast<Wide<T, W>>(columns);
    }
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
      const Pack<W, width> dys = dyr(k, at), weights = opgen::cuda::load<width>(weight, at);
      Pack<T, width> dxs;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Wide<T, W> h = static_cast<Acc>(xs.items[i]) * scale;
        const Wide<T, W> g =
            static_cast<Wide<T, W>>(dys.items[i]) * static_cast<Wide<T, W>>(weights.items[i]);
        dxs.items[i] = static_cast<Wide<T, W>>(scale) * (g - h * mean);
      }
      opgen::cuda::store(dx + row * columns, at, dxs);
    });
  });
  dweight.finish();
}

template <bool given, class T, class W, class View>
opgen::Status gradients(const View& op, int64_t rows, int64_t columns,
                        const Wide<T, W>* products) noexcept {
  unsigned parts = 0;
  if (rows > 0 && columns > 0) {
    const auto status = opgen::cuda::by_path<bwd_threads>(columns, [&](auto path) {
      constexpr int width = decltype(path)::width, held = decltype(path)::held;
      parts = std::min(path.grid(rows), static_cast<unsigned>(op.part_grad.size(0)));
      return opgen::cuda::launch(op.ctx, rms_norm_bwd_rows<given, T, W, width, held>, parts,
                                 path.block, rows, columns, op.dy.data, op.invvar.data, op.x.data,
                                 op.weight.data, products, op.dx.data, op.part_grad.data);
    }, op.dy.data, op.x.data, op.weight.data, op.dx.data, op.part_grad.data);
    if (status != opgen::Status::ok) return status;
  }
  return opgen::cuda::sum_columns(op.ctx, parts, columns, op.part_grad.data, op.dweight.data);
}

template <class T, class W>
opgen::Status rms_norm_bwd(const RmsNormBwdView<T, W>& op) noexcept {
  return gradients<false, T, W>(op, op.desc.n1, op.desc.n2, nullptr);
}

template <class T, class W>
opgen::Status rms_norm_bwd_apply(const RmsNormBwdApplyView<T, W>& op) noexcept {
  return gradients<true, T, W>(op, op.desc.batch, op.desc.norm, op.products.data);
}

template <class T, class W, int width, int held>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
mean_product_rows(int64_t rows, int64_t columns,
                  const W* dy,                      // rows columns
                  const opgen::accum_t<T>* invvar,  // rows
                  const T* x,                       // rows columns
                  const W* weight,                  // columns
                  Wide<T, W>* products) {           // rows
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Acc scale = row < rows ? invvar[row] : Acc(0);
    Wide<T, W> sum = 0;
    opgen::cuda::each_pack<held>(present, [&](int, int64_t at) {
      const Pack<T, width> xs = opgen::cuda::load<width>(x + row * columns, at);
      const Pack<W, width> dys = opgen::cuda::load<width>(dy + row * columns, at);
      const Pack<W, width> weights = opgen::cuda::load<width>(weight, at);
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Wide<T, W> h = static_cast<Acc>(xs.items[i]) * scale;
        const Wide<T, W> d = static_cast<Wide<T, W>>(dys.items[i]);
        sum += d * static_cast<Wide<T, W>>(weights.items[i]) * h;
      }
    });
    sum = opgen::cuda::over_row(sum);
    if (row < rows && threadIdx.x == 0) products[row] = sum / static_cast<Wide<T, W>>(columns);
  });
}

template <class T, class W>
opgen::Status rms_norm_bwd_products(const RmsNormBwdProductsView<T, W>& op) noexcept {
  const int64_t rows = op.desc.batch, columns = op.desc.norm;
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, mean_product_rows<T, W, width, held>, path.grid(rows),
                               path.block, rows, columns, op.dy.data, op.invvar.data, op.x.data,
                               op.weight.data, op.products.data);
  }, op.dy.data, op.x.data, op.weight.data);
}

}  // namespace generated::cuda
