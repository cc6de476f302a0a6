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

/// 1 / sqrt(mean(x^2) + eps) of a row; in f64 where the squares do not fit into f32.
template <class Wide, class T>
Wide inverse_rms(const T* xr, int64_t columns, double eps) noexcept {
  const Wide squares = opgen::sum<Wide>(columns, [=](auto v) {
    v.prefetch(xr + columns, 2);
    const auto value = v.load(xr);
    return value * value;
  });
  const Wide scale = 1 / std::sqrt(squares / static_cast<Wide>(columns) + static_cast<Wide>(eps));
  if constexpr (sizeof(Wide) < sizeof(double)) {
    if (scale == 0) return static_cast<Wide>(inverse_rms<double>(xr, columns, eps));
  }
  return scale;
}

template <class T, class W>
opgen::Status rms_norm(const RmsNormView<T, W>& op) noexcept {
  using Acc = typename RmsNormView<T, W>::Acc;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t rows = op.desc.n1;
  const int64_t columns = op.desc.n2;
  const double eps = op.desc.eps;
  const T* x = op.x.data;            // rows columns
  const W* weight = op.weight.data;  // columns
  W* y = op.y.data;                  // rows columns
  Acc* invvar = op.invvar.data;      // rows

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(W));
    for (int64_t row = begin; row < end; ++row) {
      const T* xr = x + row * columns;
      W* yr = y + row * columns;
      const Wide scale = inverse_rms<Wide>(xr, columns, eps);
      invvar[row] = static_cast<Acc>(scale);
      const auto streamed = streaming.to(opgen::lanes<Wide>, yr);
      opgen::each_vector<Wide>(0, columns, streamed, [=](auto v) {
        v.prefetch(xr + columns + columns / 2, 2);
        v.stream(yr, v.load(xr) * scale * v.load(weight));
      });
    }
  });
  return opgen::Status::ok;
}

/// With h = x * invvar and g = dy * weight:
///   dx = invvar * (g - h * mean(g * h)),  dweight = sum over rows of dy * h.
/// Each of at most 16 blocks of rows sums its part of dweight in rows of part_grad; these are then
/// added in order.
template <class T, class W>
opgen::Status rms_norm_bwd(const RmsNormBwdView<T, W>& op) noexcept {
  using Acc = typename RmsNormBwdView<T, W>::Acc;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t rows = op.desc.n1;
  const int64_t columns = op.desc.n2;
  const W* dy = op.dy.data;            // rows columns
  const Acc* invvar = op.invvar.data;  // rows
  const T* x = op.x.data;              // rows columns
  const W* weight = op.weight.data;    // columns
  T* dx = op.dx.data;                  // rows columns
  Acc* part_grad = op.part_grad.data;  // parts columns

  const opgen::RowBlocks blocks(rows, columns, 16);
  opgen::parallel(op.ctx, blocks.count, 1, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(T));
    for (int64_t block = begin; block < end; ++block) {
      opgen::ColumnSums<Acc> sums(part_grad, blocks, block, columns);
      Acc* part = sums.recent();
      for (int64_t row = blocks.begin(block); row < blocks.end(block); ++row) {
        const T* xr = x + row * columns;
        const W* dyr = dy + row * columns;
        T* dxr = dx + row * columns;
        const Wide scale = static_cast<Wide>(invvar[row]);
        const Wide products = opgen::sum<Wide>(columns, [=](auto v) {
          v.prefetch(xr + columns, 2);
          v.prefetch(dyr + columns, 2);
          return v.load(dyr) * v.load(weight) * (v.load(xr) * scale);
        });
        const Wide mean = products / static_cast<Wide>(columns);
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
  return opgen::Status::ok;
}

}  // namespace generated::cpu
