// Root-mean-square normalization and its gradient on the CPU.
//
// Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. A row is one element
// of *batch, and its columns are *norm. The kernel computes in Wide: f32 unless a tensor is f64. It
// makes two passes over a row, and each pass prefetches half of the next row. No sum depends on the
// number of threads, so the same input gives the same bits.
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

/// 1 / sqrt(mean(x^2) + eps) of a row. The sum is in f64 if the squares overflow in f32.
template <class Wide, class T>
Wide inverse_rms(const T* xr, int64_t columns, double eps) noexcept {
  const Wide scale = opgen::inverse_root(mean_square<Wide>(xr, columns), eps);
  if constexpr (sizeof(Wide) < sizeof(double)) {
    if (scale == 0) return static_cast<Wide>(inverse_rms<double>(xr, columns, eps));
  }
  return scale;
}

namespace {

/// The common part of rms_norm and rms_norm_scale. `scale_rows` does not depend on either view, so
/// its loops are compiled once for both.
template <class T, class W>
struct Forward {
  using Acc = opgen::accum_t<T>;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;

  const opgen::Context& ctx;
  const T* x;       // rows columns
  const W* weight;  // columns
  W* y;             // rows columns
  Acc* invvar;      // rows

  template <class View>
  explicit Forward(const View& op) noexcept
      : ctx(op.ctx), x(op.x.data), weight(op.weight.data), y(op.y.data), invvar(op.invvar.data) {}
};

/// Computes y and invvar. `squares` has the mean square of each row. If it is null, the mean
/// squares are computed here.
template <class T, class W>
void scale_rows(const Forward<T, W>& op, int64_t rows, int64_t columns, double eps,
                const opgen::accum_t<T>* squares) noexcept {
  using Acc = typename Forward<T, W>::Acc;
  using Wide = typename Forward<T, W>::Wide;
  const T* x = op.x;
  const W* weight = op.weight;
  W* y = op.y;
  Acc* invvar = op.invvar;

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(W));
    for (int64_t row = begin; row < end; ++row) {
      const T* xr = x + row * columns;
      W* yr = y + row * columns;
      const Wide scale = squares == nullptr
                             ? inverse_rms<Wide>(xr, columns, eps)
                             : opgen::inverse_root(static_cast<Wide>(squares[row]), eps);
      invvar[row] = static_cast<Acc>(scale);
      const auto streamed = streaming.to(opgen::lanes<Wide>, yr);
      opgen::each_vector<Wide>(0, columns, streamed, [=](auto v) {
        v.prefetch(xr + columns + columns / 2, 2);
        v.stream(yr, v.load(xr) * scale * v.load(weight));
      });
    }
  });
}

}  // namespace

template <class T, class W>
opgen::Status rms_norm(const RmsNormView<T, W>& op) noexcept {
  scale_rows(Forward<T, W>(op), op.desc.n1, op.desc.n2, op.desc.eps, nullptr);
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
  scale_rows(Forward<T, W>(op), op.desc.batch, op.desc.norm, op.desc.eps, op.squares.data);
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

namespace {

/// The common part of rms_norm_bwd and rms_norm_bwd_apply, like `Forward`.
template <class T, class W>
struct Backward {
  using Acc = opgen::accum_t<T>;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;

  const opgen::Context& ctx;
  const W* dy;        // rows columns
  const Acc* invvar;  // rows
  const T* x;         // rows columns
  const W* weight;    // columns
  T* dx;              // rows columns
  Acc* part_grad;     // parts columns
  Wide* dweight;      // columns

  template <class View>
  explicit Backward(const View& op) noexcept
      : ctx(op.ctx),
        dy(op.dy.data),
        invvar(op.invvar.data),
        x(op.x.data),
        weight(op.weight.data),
        dx(op.dx.data),
        part_grad(op.part_grad.data),
        dweight(op.dweight.data) {}
};

/// With h = x * invvar and g = dy * weight:
///   dx = invvar * (g - h * mean(g * h)),  dweight = sum over rows of dy * h.
/// `products` has these means for each row. If it is null, they are computed here.
/// There are at most 16 blocks of rows. Each block sums its part of dweight in rows of part_grad.
/// These rows are then added in order.
template <class T, class W>
void gradients(const Backward<T, W>& op, int64_t rows, int64_t columns,
               const typename Backward<T, W>::Wide* products) noexcept {
  using Acc = typename Backward<T, W>::Acc;
  using Wide = typename Backward<T, W>::Wide;
  const W* dy = op.dy;
  const Acc* invvar = op.invvar;
  const T* x = op.x;
  const W* weight = op.weight;
  T* dx = op.dx;
  Acc* part_grad = op.part_grad;

  const opgen::RowBlocks blocks(rows, columns, 16);
  opgen::parallel(op.ctx, blocks.count, blocks.of_a_thread, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(T));
    for (int64_t block = begin; block < end; ++block) {
      opgen::ColumnSums<Acc> sums(part_grad, blocks, block, columns);
      Acc* part = sums.recent();
      for (int64_t row = blocks.begin(block); row < blocks.end(block); ++row) {
        const T* xr = x + row * columns;
        const W* dyr = dy + row * columns;
        T* dxr = dx + row * columns;
        const Wide scale = static_cast<Wide>(invvar[row]);
        const Wide mean =
            products == nullptr ? mean_product(dyr, xr, weight, columns, scale) : products[row];
        const auto streamed = streaming.to(opgen::lanes<Wide>, dxr);
        opgen::each_vector<Wide>(0, columns, streamed, [=](auto v) {
          v.prefetch(xr + columns + columns / 2, 2);
          v.prefetch(dyr + columns + columns / 2, 2);
          const auto h = v.load(xr) * scale;
          const auto d = v.load(dyr);
          const auto g = d * v.load(weight);
          v.stream(dxr, scale * opgen::multiply_add<Wide>(h, opgen::Vector<Wide>{} - mean, g));
          v.store(part, v.load(part) + d * h);
        });
        sums.end_row();
      }
    }
  });
  const int64_t parts = blocks.count * blocks.parts();
  opgen::add_parts(op.ctx, parts, columns, part_grad, op.dweight);
}

}  // namespace

template <class T, class W>
opgen::Status rms_norm_bwd(const RmsNormBwdView<T, W>& op) noexcept {
  gradients(Backward<T, W>(op), op.desc.n1, op.desc.n2, nullptr);
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
  gradients(Backward<T, W>(op), op.desc.batch, op.desc.norm, op.products.data);
  return opgen::Status::ok;
}

}  // namespace generated::cpu
