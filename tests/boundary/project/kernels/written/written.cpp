#include "written.h"

#include <algorithm>
#include <cmath>

namespace boundary::cpu {

template <class T>
opgen::Status spread(const SpreadView<T>& op) noexcept {
  const int64_t m = op.desc.m, n = op.desc.n;
  if ((op.total.data != nullptr) != op.desc.sums) return opgen::Status::unsupported;
  if ((op.scaled.data != nullptr) != (op.by.data != nullptr)) return opgen::Status::unsupported;
  for (int64_t i = 0; i < m; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      const T x = op.x.data[i * n + j];
      op.y.data[i * n + j] = 2 * x;
      if (op.twice.data) op.twice.data[i * n + j] = 2 * x;
      if (op.scaled.data) op.scaled.data[i * n + j] = x * op.by.data[j];
      sum += x;
    }
    if (op.total.data) op.total.data[i] = sum;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status spread_bwd(const SpreadBwdView<T>& op) noexcept {
  const int64_t m = op.desc.m, n = op.desc.n;
  if (op.dby.data) std::fill(op.dby.data, op.dby.data + n, T(0));
  for (int64_t i = 0; i < m * n; ++i) {
    const T dscaled = op.dscaled.data ? op.dscaled.data[i] : T(0);
    const T by = op.by.data ? op.by.data[i % n] : T(0);
    if (op.dx.data) op.dx.data[i] = 2 * op.dy.data[i] + dscaled * by;
    if (op.dby.data) op.dby.data[i % n] += dscaled * op.slope.data[i] / 2;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status halves(const HalvesView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.y.data[i] = op.x.data[i] / 2;
    if (op.rest.data) op.rest.data[i] = op.x.data[i] - 2 * std::floor(op.x.data[i] / 2);
  }
  std::fill(op.ran.data, op.ran.data + op.desc.m, 1);
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
