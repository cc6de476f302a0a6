// residual += x, and the RMS normalization of the sum, optionally quantised to fp8, on the CPU.
//
// Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. A row is one element
// of *batch, and rows of x may have gaps between them. The kernel computes in Acc: f32, or f64 for
// f64. y is computed from the rounded sum in `residual`. No sum depends on the number of threads,
// so the same input gives the same bits.
#include "fused_add_rms_norm.h"

#include <cmath>
#include <type_traits>

#include "opgen/rows.h"

namespace generated::cpu {

/// Adds `x` to `residual` and returns 1 / sqrt(mean(residual^2) + eps). The sum is in f64 if the
/// squares overflow in f32.
template <class T, class Acc = opgen::accum_t<T>>
Acc add_row(const T* x, T* residual, int64_t columns, double eps) noexcept {
  const Acc squares = opgen::sum<Acc>(columns, [=](auto v) {
    v.prefetch_ahead(x);
    v.prefetch_ahead(residual);
    const auto total = v.store_rounded(residual, v.load(residual) + v.load(x));
    return total * total;
  });
  const Acc scale = opgen::inverse_root(squares / static_cast<Acc>(columns), eps);
  if (sizeof(Acc) == sizeof(double) || scale != 0) return scale;
  const double all = opgen::sum<double>(columns, [=](auto v) {
    const auto total = v.load(residual);
    return total * total;
  });
  return static_cast<Acc>(opgen::inverse_root(all / static_cast<double>(columns), eps));
}

template <class T>
opgen::Status fused_add_rms_norm(const FusedAddRmsNormView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t rows = op.desc.batch;
  const int64_t columns = op.desc.d;
  const double eps = op.desc.eps;
  const opgen::Tensor<const T> x = op.x;  // rows columns
  T* residual = op.residual.data;         // rows columns
  const T* weight = op.weight.data;       // columns
  T* y = op.y.data;                       // rows columns

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(T));
    for (int64_t row = begin; row < end; ++row) {
      T* rr = residual + row * columns;
      T* yr = y + row * columns;
      const Acc scale = add_row(opgen::row_of(x, row), rr, columns, eps);
      const auto streamed = streaming.to(opgen::lanes<Acc>, yr);
      opgen::each_vector<Acc>(0, columns, streamed,
                              [=](auto v) { v.stream(yr, v.load(rr) * scale * v.load(weight)); });
    }
  });
  return opgen::Status::ok;
}

/// The largest finite value of an fp8 type.
template <class Q>
constexpr float limit_of = std::is_same_v<Q, opgen::f8e4m3> ? 448.0f : 57344.0f;

/// y = clip(normal / scale, -limit, limit). With `dynamic`, the scale of a row is
/// max(abs(normal)) / limit, but at most scale_ub and at least 1 / (512 limit).
template <class T, class Q>
opgen::Status fused_add_rms_norm_quant(const FusedAddRmsNormQuantView<T, Q>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Vector = opgen::Vector<Acc>;
  constexpr Acc limit = limit_of<Q>, least = 1 / (512 * limit);
  const int64_t rows = op.desc.batch;
  const int64_t columns = op.desc.d;
  const double eps = op.desc.eps;
  const bool dynamic = op.desc.dynamic != 0;
  const opgen::Tensor<const T> x = op.x;  // rows columns
  T* residual = op.residual.data;         // rows columns
  const T* weight = op.weight.data;       // columns
  Q* y = op.y.data;                       // rows columns
  float* scales = op.y_scale.data;        // rows, with dynamic
  const Acc given = op.scale.present() ? *op.scale.data : 1;
  const Acc most = op.scale_ub.present() ? *op.scale_ub.data : INFINITY;

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(Q));
    for (int64_t row = begin; row < end; ++row) {
      T* rr = residual + row * columns;
      Q* yr = y + row * columns;
      const Acc invrms = add_row(opgen::row_of(x, row), rr, columns, eps);
      const auto normal = [=](auto v) { return v.load(rr) * invrms * v.load(weight); };
      Acc scale = given;
      if (dynamic) {
        const Acc largest = opgen::greatest<Acc>(columns, [=](auto v) {
          const Vector value = normal(v);
          return value < 0 ? -value : value;
        });
        scale = largest / limit;
        scale = scale > most || most != most ? most : scale;
        scale = scale < least ? least : scale;
        scales[row] = static_cast<float>(scale);
      }
      const auto streamed = streaming.to(opgen::lanes<Acc>, yr);
      opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
        v.stream(yr, opgen::clamp<Acc>(normal(v) / scale, -limit, limit));
      });
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
