// Root-mean-square normalization as in PyTorch, Llama and Gemma, and its gradient, on the CPU.
//
// Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. A row is one element
// of *batch. The kernel computes in Acc: f32, or f64 for f64. No sum depends on the number of
// threads, so the same input gives the same bits.
#include "rms_layer_norm.h"

#include <cmath>

#include "opgen/rows.h"

namespace generated::cpu {
namespace {

/// 1 / sqrt(mean(x^2) + eps) of a row. The sum is in f64 if the squares overflow in f32.
template <class Acc, class T>
Acc inverse_rms(const T* xr, int64_t columns, double eps) noexcept {
  const Acc squares = opgen::sum<Acc>(columns, [=](auto v) {
    v.prefetch(xr + columns, 2);
    const auto value = v.load(xr);
    return value * value;
  });
  const Acc scale = opgen::inverse_root(squares / static_cast<Acc>(columns), eps);
  if constexpr (sizeof(Acc) < sizeof(double)) {
    if (scale == 0) return static_cast<Acc>(inverse_rms<double>(xr, columns, eps));
  }
  return scale;
}

/// The factor of a row's elements: `weight + offset`, or 1 without a weight.
template <class Acc, class W>
struct Factor {
  const W* weight;
  Acc offset;

  template <class Lanes>
  opgen::Vector<Acc> operator()(const Lanes& v) const noexcept {
    return weight == nullptr ? opgen::Vector<Acc>{} + 1 : v.load(weight) + offset;
  }
};

/// Every lane, rounded to type T.
template <class T, class Acc>
opgen::Vector<Acc> rounded(opgen::Vector<Acc> value) noexcept {
  T elements[opgen::lanes<Acc>];
  return opgen::Lanes<Acc, true>{0}.store_rounded(elements, value);
}

}  // namespace

template <class T, class W, class Y>
opgen::Status rms_layer_norm(const RmsLayerNormView<T, W, Y>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t rows = op.desc.rows, columns = op.desc.columns;
  const double eps = op.desc.eps;
  const Factor<Acc, W> factor{op.weight.data, static_cast<Acc>(op.desc.offset)};
  const bool cast_first = op.desc.cast_first != 0 && op.weight.data != nullptr;
  const T* x = op.x.data;    // rows columns
  Y* y = op.y.data;          // rows columns
  Acc* rstd = op.rstd.data;  // rows

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * static_cast<int64_t>(sizeof(Y)));
    for (int64_t row = begin; row < end; ++row) {
      const T* xr = x + row * columns;
      Y* yr = y + row * columns;
      const Acc scale = inverse_rms<Acc>(xr, columns, eps);
      rstd[row] = scale;
      const auto streamed = streaming.to(opgen::lanes<Acc>, yr);
      if (cast_first) {
        opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
          v.prefetch(xr + columns + columns / 2, 2);
          v.stream(yr, rounded<T, Acc>(v.load(xr) * scale) * factor(v));
        });
      } else {
        opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
          v.prefetch(xr + columns + columns / 2, 2);
          v.stream(yr, v.load(xr) * scale * factor(v));
        });
      }
    }
  });
  return opgen::Status::ok;
}

/// With h = x * rstd, g = dy * (weight + offset), and the `mean` of g * h in each row:
///   dx = rstd * (g - h * mean),  dweight = sum over rows of dy * h.
/// There are at most 16 blocks of rows. Each block sums its part of dweight in rows of part_grad.
/// These rows are then added in order.
template <class T, class W, class Y>
opgen::Status rms_layer_norm_bwd(const RmsLayerNormBwdView<T, W, Y>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t rows = op.desc.rows, columns = op.desc.columns;
  const Factor<Acc, W> factor{op.weight.data, static_cast<Acc>(op.desc.offset)};
  const Y* dy = op.dy.data;            // rows columns
  const T* x = op.x.data;              // rows columns
  const Acc* rstd = op.rstd.data;      // rows
  T* dx = op.dx.data;                  // rows columns
  Acc* part_grad = op.part_grad.data;  // parts columns

  const opgen::RowBlocks blocks(rows, columns, 16);
  opgen::parallel(op.ctx, blocks.count, blocks.of_a_thread, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * static_cast<int64_t>(sizeof(T)));
    for (int64_t block = begin; block < end; ++block) {
      opgen::ColumnSums<Acc> sums(part_grad, blocks, block, columns);
      Acc* part = part_grad == nullptr ? nullptr : sums.recent();
      for (int64_t row = blocks.begin(block); row < blocks.end(block); ++row) {
        const T* xr = x + row * columns;
        const Y* dyr = dy + row * columns;
        T* dxr = dx + row * columns;
        const Acc scale = rstd[row];
        const Acc products = opgen::sum<Acc>(columns, [=](auto v) {
          v.prefetch(xr + columns, 2);
          v.prefetch(dyr + columns, 2);
          return v.load(dyr) * factor(v) * (v.load(xr) * scale);
        });
        const Acc mean = products / static_cast<Acc>(columns);
        const auto streamed = streaming.to(opgen::lanes<Acc>, dxr);
        opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
          v.prefetch(xr + columns + columns / 2, 2);
          v.prefetch(dyr + columns + columns / 2, 2);
          const auto h = v.load(xr) * scale;
          const auto d = v.load(dyr);
          v.stream(dxr,
                   scale * opgen::multiply_add<Acc>(h, opgen::Vector<Acc>{} - mean, d * factor(v)));
          if (part != nullptr) v.store(part, v.load(part) + d * h);
        });
        sums.end_row();
      }
    }
  });
  if (part_grad == nullptr) return opgen::Status::ok;
  opgen::add_parts(op.ctx, blocks.count * blocks.parts(), columns, part_grad, op.dweight.data);
  return opgen::Status::ok;
}

}  // namespace generated::cpu
