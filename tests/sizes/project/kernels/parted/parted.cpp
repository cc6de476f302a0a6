#include "parted.h"

#include <algorithm>

namespace padded::cpu {

template <class T>
opgen::Status parted(const PartedView<T>& op) noexcept {
  const int64_t m = op.desc.m, n = op.desc.n, parts = op.desc.parts;
  std::fill_n(op.sums.data, parts * n, T(0));
  for (int64_t part = 0; part < parts; ++part) {
    for (int64_t row = m * part / parts; row < m * (part + 1) / parts; ++row) {
      for (int64_t j = 0; j < n; ++j) op.sums.data[part * n + j] += op.x.data[row * n + j];
    }
  }
  for (int64_t j = 0; j < n; ++j) {
    T sum = 0;
    for (int64_t part = 0; part < parts; ++part) sum += op.sums.data[part * n + j];
    op.y.data[j] = sum * sum;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status parted_bwd(const PartedBwdView<T>& op) noexcept {
  for (int64_t j = 0; j < op.desc.n; ++j) {
    T sum = 0;
    for (int64_t part = 0; part < op.desc.parts; ++part) sum += op.sums.data[part * op.desc.n + j];
    for (int64_t row = 0; row < op.desc.m; ++row) {
      op.dx.data[row * op.desc.n + j] = 2 * op.dy.data[j] * sum;
    }
  }
  return opgen::Status::ok;
}

}  // namespace padded::cpu
