#include "parts.h"

#include <algorithm>

namespace language_ops::cpu {

template <class T>
opgen::Status column_totals(const ColumnTotalsView<T>& op) noexcept {
  const int64_t m = op.desc.m, n = op.desc.n, parts = op.desc.parts;
  opgen::parallel(op.ctx, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      T* sums = op.sums.data + part * n;
      std::fill_n(sums, n, T(0));
      for (int64_t row = m * part / parts; row < m * (part + 1) / parts; ++row) {
        for (int64_t j = 0; j < n; ++j) sums[j] += op.x.data[row * n + j];
      }
    }
  });
  std::fill_n(op.y.data, n, T(0));
  for (int64_t i = 0; i < parts * n; ++i) op.y.data[i % n] += op.sums.data[i];
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
