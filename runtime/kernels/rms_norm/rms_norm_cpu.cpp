// Root-mean-square normalization and its gradient on the CPU.
//
// Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. A row is one
// element of *batch, its columns are *norm. All is computed in Wide: f32 where nothing is f64.
// Two passes over a row, of which each asks for half of the next row.
// Same input, same bits: no sum depends on the number of threads.
#include "rms_norm.h"

#include <algorithm>
#include <cmath>

#include "opgen/rows.h"

namespace generated::cpu {

/// The mean of the squares of a row.
template <class Wide, class T>
Wide mean_square(const T* xr, int64_t columns) noexcept {
  const Wide squares = opgen::sum<Wide>(columns, [=](auto v) {
    v.prefetch(xr + columns, 2);
    const auto value = v.load(xr);
    return value * value;
  });
  return squares / static_cast<Wide>(columns);
}

/// 1 / sqrt(mean(x^2) + eps) of a row; in f64 where the squares do not fit into f32.
template <class Wide, class T>
Wide inverse_rms(const T* xr, int64_t columns, double eps) noexcept {
  const Wide scale = 1 / std::sqrt(mean_square<Wide>(xr, columns) + static_cast<Wide>(eps));
  if constexpr (sizeof(Wide) < sizeof(double)) {
    if (scale == 0) return static_cast<Wide>(inverse_rms<double>(xr, columns, eps));
  }
  return scale;
}

/// y and invvar, where `scale_of(row)` is what a row is multiplied by.
template <class Wide, class View, class Scale>
void scale_rows(const View& op, int64_t rows, int64_t columns, Scale scale_of) noexcept {
  const auto* x = op.x.data;            // rows columns
  const auto* weight = op.weight.data;  // columns
  auto* y = op.y.data;                  // rows columns
  auto* invvar = op.invvar.data;        // rows

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(*y));
    for (int64_t row = begin; row < end; ++row) {
      const auto* xr = x + row * columns;
      auto* yr = y + row * columns;
      const Wide scale = scale_of(row);
      invvar[row] = static_cast<typename View::Acc>(scale);
      const auto streamed = streaming.to(opgen::lanes<Wide>, yr);
      opgen::each_vector<Wide>(0, columns, streamed, [=](auto v) {
        v.prefetch(xr + columns + columns / 2, 2);
        v.stream(yr, v.load(xr) * scale * v.load(weight));
      });
    }
  });
}

template <class T, class W>
opgen::Status rms_norm(const RmsNormView<T, W>& op) noexcept {
  using Wide = opgen::promote_t<opgen::accum_t<T>, opgen::accum_t<W>>;
  const int64_t columns = op.desc.n2;
  const double eps = op.desc.eps;
  const T* x = op.x.data;  // rows columns
  scale_rows<Wide>(op, op.desc.n1, columns,
                   [=](int64_t row) { return inverse_rms<Wide>(x + row * columns, columns, eps); });
  return opgen::Status::ok;
}

template <class T>
opgen::Status rms_norm_squares(const RmsNormSquaresView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t columns = op.desc.columns;
  const T* x = op.x.data;          // rows columns
  Acc* squares = op.squares.data;  // rows
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, op.desc.rows, grain, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      squares[row] = mean_square<Acc>(x + row * columns, columns);
    }
  });
  return opgen::Status::ok;
}

template <class T, class W>
opgen::Status rms_norm_scale(const RmsNormScaleView<T, W>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const double eps = op.desc.eps;
  const Acc* squares = op.squares.data;  // rows
  scale_rows<Wide>(op, op.desc.batch, op.desc.norm, [=](int64_t row) {
    return 1 / std::sqrt(static_cast<Wide>(squares[row]) + static_cast<Wide>(eps));
  });
  return opgen::Status::ok;
}

/// The mean of g * h of a row, with h = x * invvar and g = dy * weight.
template <class Wide, class T, class W>
Wide mean_product(const W* dyr, const T* xr, const W* weight, int64_t columns,
                  Wide scale) noexcept {
  const Wide products = opgen::sum<Wide>(columns, [=](auto v) {
    v.prefetch(xr + columns, 2);
    v.prefetch(dyr + columns, 2);
    return v.load(dyr) * v.load(weight) * (v.load(xr) * scale);
  });
  return products / static_cast<Wide>(columns);
}

/// With h = x * invvar and g = dy * weight, and `mean_of(row, scale)` the mean of g * h:
///   dx = invvar * (g - h * mean),  dweight = sum over rows of dy * h.
/// Each of at most 16 blocks of rows sums its part of dweight in rows of part_grad; these are then
/// added in order.
template <class Wide, class View, class Mean>
void gradients(const View& op, int64_t rows, int64_t columns, Mean mean_of) noexcept {
  const auto* dy = op.dy.data;          // rows columns
  const auto* invvar = op.invvar.data;  // rows
  const auto* x = op.x.data;            // rows columns
  const auto* weight = op.weight.data;  // columns
  auto* dx = op.dx.data;                // rows columns
  auto* part_grad = op.part_grad.data;  // parts columns

  const opgen::RowBlocks blocks(rows, columns, 16);
  opgen::parallel(op.ctx, blocks.count, 1, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(*dx));
    for (int64_t block = begin; block < end; ++block) {
      opgen::ColumnSums<typename View::Acc> sums(part_grad, blocks, block, columns);
      auto* part = sums.recent();
      for (int64_t row = blocks.begin(block); row < blocks.end(block); ++row) {
        const auto* xr = x + row * columns;
        const auto* dyr = dy + row * columns;
        auto* dxr = dx + row * columns;
        const Wide scale = static_cast<Wide>(invvar[row]);
        const Wide mean = mean_of(row, scale);
        const auto streamed = streaming.to(opgen::lanes<Wide>, dxr);
        opgen::each_vector<Wide>(0, columns, streamed, [=](auto v) {
          v.prefetch(xr + columns + columns / 2, 2);
          v.prefetch(dyr + columns + columns / 2, 2);
          const auto h = v.load(xr) * scale;
          const auto d = v.load(dyr);
          v.stream(dxr, scale * (d * v.load(weight) - h * mean));
          v.store(part, v.load(part) + d * h);
        });
        sums.end_row();
      }
    }
  });
  const int64_t parts = blocks.count * blocks.parts();
  opgen::add_parts(op.ctx, parts, columns, part_grad, op.dweight.data);
}

template <class T, class W>
opgen::Status rms_norm_bwd(const RmsNormBwdView<T, W>& op) noexcept {
  using Wide = opgen::promote_t<opgen::accum_t<T>, opgen::accum_t<W>>;
  const int64_t columns = op.desc.n2;
  const W* dy = op.dy.data;          // rows columns
  const T* x = op.x.data;            // rows columns
  const W* weight = op.weight.data;  // columns
  gradients<Wide>(op, op.desc.n1, columns, [=](int64_t row, Wide scale) {
    return mean_product(dy + row * columns, x + row * columns, weight, columns, scale);
  });
  return opgen::Status::ok;
}

template <class T, class W>
opgen::Status rms_norm_bwd_products(const RmsNormBwdProductsView<T, W>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t columns = op.desc.norm;
  const W* dy = op.dy.data;            // rows columns
  const Acc* invvar = op.invvar.data;  // rows
  const T* x = op.x.data;              // rows columns
  const W* weight = op.weight.data;    // columns
  Wide* products = op.products.data;   // rows
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, op.desc.batch, grain, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      products[row] = mean_product(dy + row * columns, x + row * columns, weight, columns,
                                   static_cast<Wide>(invvar[row]));
    }
  });
  return opgen::Status::ok;
}

template <class T, class W>
opgen::Status rms_norm_bwd_apply(const RmsNormBwdApplyView<T, W>& op) noexcept {
  using Wide = opgen::promote_t<opgen::accum_t<T>, opgen::accum_t<W>>;
  const Wide* products = op.products.data;  // rows
  gradients<Wide>(op, op.desc.batch, op.desc.norm,
                  [=](int64_t row, Wide) { return products[row]; });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
