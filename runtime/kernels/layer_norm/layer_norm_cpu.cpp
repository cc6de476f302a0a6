// Layer normalization and its gradient on the CPU.
//
// Ba, Kiros and Hinton, Layer Normalization, 2016, equations 3 and 4. A row is one element of
// *batch, and its columns are *normalized_shape. The kernel computes in Wide: f32 unless a tensor
// is f64. It makes two passes over a row, and each pass prefetches half of the next row. No sum
// depends on the number of threads, so the same input gives the same bits.
#include "layer_norm.h"

#include <algorithm>
#include <cmath>

#include "opgen/rows.h"

namespace generated::cpu {

/// The mean of a row, as `mean + shift`, and 1 / sqrt(variance + eps).
template <class Wide>
struct Moments {
  Wide mean, shift, rstd;
};

/// Sums the differences from a guess of the mean, and their squares. The guess is the mean of the
/// first few elements. If the guess differs from the mean by more than a standard deviation, the
/// squares have lost bits that the variance needs. Then they are summed again, with the mean in
/// place of the guess. The sum is in f64 if the squares overflow in f32.
template <class Wide, class T>
Moments<Wide> moments(const T* xr, int64_t columns, double eps) noexcept {
  const Wide count = static_cast<Wide>(columns);
  const int64_t few = std::min<int64_t>(columns, 64);
  const Wide part = static_cast<Wide>(few);
  Wide mean = opgen::sum<Wide>(few, [=](auto v) { return v.load(xr); }) / part;
  if (!std::isfinite(mean)) mean = opgen::sum<Wide>(few, [=](auto v) { return v.load(xr) / part; });
  for (bool again = false;; again = true) {
    const auto [rest, squares] = opgen::sums<Wide, 2>(columns, [=](auto v) {
      v.prefetch(xr + columns, 2);
      const auto centred = v.load(xr) - mean;
      return std::array<opgen::Vector<Wide>, 2>{centred, centred * centred};
    });
    const Wide shift = rest / count;
    // If squares overflow, the variance is infinite. A difference of infinities would give NaN.
    const bool overflowed = std::isinf(squares) && std::isfinite(rest);
    const Wide variance = overflowed ? squares : std::max(squares / count - shift * shift, Wide(0));
    if (again || !(shift * shift > variance)) {
      const Wide rstd = opgen::inverse_root(variance, eps);
      if constexpr (sizeof(Wide) < sizeof(double)) {
        if (!(rstd > 0)) {
          const Moments<double> exact = moments<double>(xr, columns, eps);
          const Wide near = static_cast<Wide>(exact.mean + exact.shift);
          const double rest = exact.mean - static_cast<double>(near) + exact.shift;
          return {near, static_cast<Wide>(rest), static_cast<Wide>(exact.rstd)};
        }
      }
      return {mean, shift, rstd};
    }
    mean += shift;
  }
}

namespace {

/// The common part of layer_norm and layer_norm_scale. `scale_rows` does not depend on either view,
/// so its loops are compiled once for both.
template <class T, class W>
struct Forward {
  using Acc = opgen::accum_t<T>;

  const opgen::Context& ctx;
  int64_t rows, columns;
  double eps;
  const T* x;       // rows columns
  const W* weight;  // columns, or null
  const W* bias;    // columns, or null
  T* y;             // rows columns
  Acc* rstds;       // rows

  template <class View>
  explicit Forward(const View& op) noexcept
      : ctx(op.ctx),
        rows(op.mean.numel()),
        columns(op.x.numel() / rows),  // rows > 0: a kernel never runs without results
        eps(op.desc.eps),
        x(op.x.data),
        weight(op.weight.data),
        bias(op.bias.data),
        y(op.y.data),
        rstds(op.rstd.data) {}
};

/// Computes y and rstd. If `given` is not null, it has the means and variances of rows. Otherwise
/// both are computed, and the means are written to `means`.
template <class T, class W>
void scale_rows(const Forward<T, W>& op, opgen::accum_t<T>* means, const opgen::accum_t<T>* given,
                const opgen::accum_t<T>* variances) noexcept {
  using Acc = opgen::accum_t<T>;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t rows = op.rows, columns = op.columns;
  const double eps = op.eps;
  const T* x = op.x;
  const W *weight = op.weight, *bias = op.bias;
  T* y = op.y;
  Acc* rstds = op.rstds;

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(T));
    for (int64_t row = begin; row < end; ++row) {
      const T* xr = x + row * columns;
      T* yr = y + row * columns;
      Moments<Wide> found;
      if (given == nullptr) {
        found = moments<Wide>(xr, columns, eps);
        means[row] = static_cast<Acc>(found.mean + found.shift);
      } else {
        const Wide rstd = opgen::inverse_root(static_cast<Wide>(variances[row]), eps);
        found = {static_cast<Wide>(given[row]), Wide(0), rstd};
      }
      const Wide mean = found.mean, shift = found.shift, rstd = found.rstd;
      rstds[row] = static_cast<Acc>(rstd);
      const auto streamed = streaming.to(opgen::lanes<Wide>, yr);
      opgen::each_vector<Wide>(0, columns, streamed, [=](auto v) {
        v.prefetch(xr + columns + columns / 2, 2);
        auto value = ((v.load(xr) - mean) - shift) * rstd;
        if (weight != nullptr) value = value * v.load(weight);
        if (bias != nullptr) value = value + v.load(bias);
        v.stream(yr, value);
      });
    }
  });
}

}  // namespace

template <class T, class W>
opgen::Status layer_norm(const LayerNormView<T, W>& op) noexcept {
  scale_rows(Forward<T, W>(op), op.mean.data, nullptr, nullptr);
  return opgen::Status::ok;
}

template <class T, class W>
opgen::Status layer_norm_scale(const LayerNormScaleView<T, W>& op) noexcept {
  scale_rows(Forward<T, W>(op), nullptr, op.mean.data, op.variance.data);
  return opgen::Status::ok;
}

/// The means of rows. If a row's sum overflows, each element is divided before the sum.
template <class T>
opgen::Status layer_norm_mean(const LayerNormMeanView<T>& op) noexcept {
  using Acc = typename LayerNormMeanView<T>::Acc;
  const int64_t rows = op.mean.numel(), columns = op.x.numel() / rows;
  const Acc count = static_cast<Acc>(columns);
  const T* x = op.x.data;     // rows columns
  Acc* means = op.mean.data;  // rows
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* xr = x + row * columns;
      Acc mean = opgen::sum<Acc>(columns, [=](auto v) { return v.load(xr); }) / count;
      if (!std::isfinite(mean)) {
        mean = opgen::sum<Acc>(columns, [=](auto v) { return v.load(xr) / count; });
      }
      means[row] = mean;
    }
  });
  return opgen::Status::ok;
}

template <class T>
opgen::Status layer_norm_variance(const LayerNormVarianceView<T>& op) noexcept {
  using Acc = typename LayerNormVarianceView<T>::Acc;
  const int64_t rows = op.mean.numel(), columns = op.x.numel() / rows;
  const T* x = op.x.data;             // rows columns
  const Acc* means = op.mean.data;    // rows
  Acc* variances = op.variance.data;  // rows
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* xr = x + row * columns;
      const Acc mean = means[row];
      const Acc squares = opgen::sum<Acc>(columns, [=](auto v) {
        const auto centred = v.load(xr) - mean;
        return centred * centred;
      });
      variances[row] = squares / static_cast<Acc>(columns);
    }
  });
  return opgen::Status::ok;
}

/// The means of g and g * h of a row, and the error in each h from the rounded mean of x.
template <class Wide>
struct Means {
  Wide g, gh, shift;
};

/// Computes these means for a row of `columns` elements: `dyr` of dy and `xr` of x. `weight` may be
/// null.
template <class Wide, class T, class W>
Means<Wide> means_of_row(const T* dyr, const T* xr, const W* weight, int64_t columns, Wide mean,
                         Wide rstd) noexcept {
  const auto [g_sum, h_sum, gh_sum] = opgen::sums<Wide, 3>(columns, [=](auto v) {
    auto g = v.load(dyr);
    if (weight != nullptr) g = g * v.load(weight);
    const auto h = (v.load(xr) - mean) * rstd;  // near 1, so its products do not overflow
    return std::array<opgen::Vector<Wide>, 3>{g, h, g * h};
  });
  const Wide count = static_cast<Wide>(columns);
  return {g_sum / count, gh_sum / count, h_sum / count};
}

namespace {

/// The common part of layer_norm_bwd and layer_norm_bwd_apply, like `Forward`.
template <class T, class W>
struct Backward {
  using Acc = opgen::accum_t<T>;

  const opgen::Context& ctx;
  int64_t rows, columns;
  const T* dy;       // rows columns
  const T* x;        // rows columns
  const Acc* means;  // rows
  const Acc* rstds;  // rows
  const W* weight;   // columns, or null
  T* dx;             // rows columns, or null
  Acc* dweight;      // columns, or null
  Acc* dbias;        // columns, or null
  Acc* parts;        // 2 parts columns

  template <class View>
  explicit Backward(const View& op) noexcept
      : ctx(op.ctx),
        rows(op.mean.numel()),
        columns(op.desc.norm),
        dy(op.dy.data),
        x(op.x.data),
        means(op.mean.data),
        rstds(op.rstd.data),
        weight(op.weight.data),
        dx(op.dx.data),
        dweight(op.dweight.data),
        dbias(op.dbias.data),
        parts(op.parts.data) {}
};

/// With h = (x - mean) * rstd and g = dy * weight:
///   dx = rstd * (g - mean(g) - h * mean(g * h)),
///   dweight = sum over rows of dy * h,  dbias = sum over rows of dy,
/// each if it is requested. The means of g and g * h are computed if `find` is true, and otherwise
/// given; they are null if dx is not requested. There are at most 32 blocks of rows. Each block
/// sums its part of dweight and dbias in rows of `parts`. These rows are then added in order.
template <class T, class W>
void gradients(const Backward<T, W>& op, bool find, const opgen::accum_t<T>* g_means,
               const opgen::accum_t<T>* gh_means) noexcept {
  using Acc = opgen::accum_t<T>;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t rows = op.rows, columns = op.columns;
  const T *dy = op.dy, *x = op.x;
  const Acc *means = op.means, *rstds = op.rstds;
  const W* weight = op.weight;
  T* dx = op.dx;
  const bool want_dweight = op.dweight != nullptr, want_dbias = op.dbias != nullptr;
  const opgen::RowBlocks blocks(rows, columns, 32);
  const int64_t parts = blocks.count * blocks.parts();
  Acc* dweight_parts = want_dweight ? op.parts : nullptr;                // parts columns
  Acc* dbias_parts = want_dbias ? op.parts + parts * columns : nullptr;  // parts columns

  opgen::parallel(op.ctx, blocks.count, blocks.of_a_thread, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(dx == nullptr ? 0 : rows * columns * sizeof(T));
    for (int64_t block = begin; block < end; ++block) {
      opgen::ColumnSums<Acc> dweight_sums(dweight_parts, blocks, block, columns);
      opgen::ColumnSums<Acc> dbias_sums(dbias_parts, blocks, block, columns);
      Acc* const dweights = dweight_sums.recent();
      Acc* const dbiases = dbias_sums.recent();
      for (int64_t row = blocks.begin(block); row < blocks.end(block); ++row) {
        const T* xr = x + row * columns;
        const T* dyr = dy + row * columns;
        T* dxr = dx == nullptr ? nullptr : dx + row * columns;
        const Wide mean = static_cast<Wide>(means[row]);
        const Wide rstd = static_cast<Wide>(rstds[row]);
        Means<Wide> found = {};
        if (find) {
          found = means_of_row(dyr, xr, weight, columns, mean, rstd);
          found.gh -= found.g * found.shift;
        } else if (g_means != nullptr) {
          found = {static_cast<Wide>(g_means[row]), static_cast<Wide>(gh_means[row]), Wide(0)};
        }
        const Wide g_mean = found.g, gh_mean = found.gh, shift = found.shift;
        const auto broadcast = [](Wide value) { return opgen::Vector<Wide>{} + value; };
        const auto streamed = streaming.to(opgen::lanes<Wide>, dxr);
        opgen::each_vector<Wide>(0, columns, streamed, [=](auto v) {
          using opgen::multiply_add;
          v.prefetch(xr + columns);
          v.prefetch(dyr + columns);
          const auto d = v.load(dyr);
          const auto h = multiply_add<Wide>(v.load(xr) - mean, broadcast(rstd), broadcast(-shift));
          if (dx != nullptr) {
            auto g = d;
            if (weight != nullptr) g = g * v.load(weight);
            v.stream(dxr, rstd * multiply_add<Wide>(h, broadcast(-gh_mean), g - g_mean));
          }
          if (dweights != nullptr) v.store(dweights, multiply_add<Wide>(d, h, v.load(dweights)));
          if (dbiases != nullptr) v.store(dbiases, v.load(dbiases) + d);
        });
        dweight_sums.end_row();
        dbias_sums.end_row();
      }
    }
  });
  if (want_dweight) {
    opgen::add_parts(op.ctx, parts, columns, dweight_parts, op.dweight);
  }
  if (want_dbias) {
    opgen::add_parts(op.ctx, parts, columns, dbias_parts, op.dbias);
  }
}

}  // namespace

template <class T, class W>
opgen::Status layer_norm_bwd(const LayerNormBwdView<T, W>& op) noexcept {
  gradients(Backward<T, W>(op), true, nullptr, nullptr);
  return opgen::Status::ok;
}

template <class T, class W>
opgen::Status layer_norm_bwd_means(const LayerNormBwdMeansView<T, W>& op) noexcept {
  using Acc = typename LayerNormBwdMeansView<T, W>::Acc;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t columns = op.desc.norm;
  const T* dy = op.dy.data;          // rows columns
  const T* x = op.x.data;            // rows columns
  const Acc* means = op.mean.data;   // rows
  const Acc* rstds = op.rstd.data;   // rows
  const W* weight = op.weight.data;  // columns, or null
  Acc* g_means = op.g_mean.data;     // rows
  Acc* gh_means = op.gh_mean.data;   // rows
  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, op.mean.numel(), grain, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const Means<Wide> found =
          means_of_row(dy + row * columns, x + row * columns, weight, columns,
                       static_cast<Wide>(means[row]), static_cast<Wide>(rstds[row]));
      g_means[row] = static_cast<Acc>(found.g);
      gh_means[row] = static_cast<Acc>(found.gh);
    }
  });
  return opgen::Status::ok;
}

/// The means are null if dx is not requested.
template <class T, class W>
opgen::Status layer_norm_bwd_apply(const LayerNormBwdApplyView<T, W>& op) noexcept {
  gradients(Backward<T, W>(op), false, op.g_mean.data, op.gh_mean.data);
  return opgen::Status::ok;
}

}  // namespace generated::cpu
