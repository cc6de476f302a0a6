#include "unlike.h"

namespace boundary::cpu {

template <class T>
opgen::Status weighted(const WeightedView<T>& op) noexcept {
  const int64_t m = op.desc.m, n = op.desc.n;
  const bool turned = op.desc.turned, whole = op.w.rank == 2;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const T s = !op.s.data ? T(1) : op.s.data[turned ? j * m + i : i];
      const T w = op.w.data[whole ? i * n + j : j];
      op.y.data[turned ? j * m + i : i * n + j] = op.x.data[i * n + j] * w * s;
    }
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status counted(const CountedView<T>& op) noexcept {
  for (int64_t n = 0; n < op.xs.count; ++n) {
    const auto x = op.xs[n];
    const auto y = op.ys[n];
    for (int64_t i = 0; i < x.size(0); ++i) {
      const T by = op.ws[n].data[i] * T(op.counts[n].data[i]);
      for (int64_t j = 0; j < x.size(1); ++j) {
        y.data[i * y.stride(0) + j * y.stride(1)] = x.data[i * x.stride(0) + j * x.stride(1)] * by;
      }
    }
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
