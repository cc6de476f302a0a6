#include "strides.h"

#include <cmath>

namespace language_ops::cpu {

template <class T>
opgen::Status square(const SquareView<T>& op) noexcept {
  opgen::parallel(op.ctx, op.x.numel(), 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t rest = i, source = 0, target = 0;
      for (int32_t dim = op.x.rank - 1; dim >= 0; --dim) {
        const int64_t at = rest % op.x.size(dim);
        rest /= op.x.size(dim);
        source += at * op.x.stride(dim);
        target += at * op.y.stride(dim);
      }
      op.y.data[target] = op.x.data[source] * op.x.data[source];
    }
  });
  return opgen::Status::ok;
}

/// The descriptor has the stride of `t` alone: within a row, heads follow one another.
template <class T>
opgen::Status head_norms(const HeadNormsView<T>& op) noexcept {
  const int64_t heads = op.desc.h, d = op.desc.d;
  opgen::parallel(op.ctx, op.desc.t * heads, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t t = i / heads, h = i % heads;
      const T* const x = op.x.data + t * op.desc.x_stride_t + h * d;
      T total = 0;
      for (int64_t k = 0; k < d; ++k) total += x[k] * x[k];
      op.norms.data[h * op.desc.t + t] = std::sqrt(total);
    }
  });
  return opgen::Status::ok;
}

/// What is dense and lies alike needs no strides.
template <class T>
opgen::Status scale_all(const ScaleAllView<T>& op) noexcept {
  for (int64_t n = 0; n < op.xs.count; ++n) {
    const opgen::Tensor<const T> x = op.xs[n];
    const opgen::Tensor<T> y = op.ys[n];
    for (int64_t i = 0; i < x.numel(); ++i) y.data[i] = *op.factor.data * x.data[i];
  }
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
