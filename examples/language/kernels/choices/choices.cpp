#include "choices.h"  // rendered from specs/choices.toml

namespace language_ops::cpu {

/// For rows of whole fours: four sums at a time, which do not wait for each other.
template <class T>
opgen::Status row_sums_by_fours(const RowSumsView<T>& op) noexcept {
  for (int64_t i = 0; i < op.desc.m; ++i) {
    const T* const row = op.x.data + i * op.desc.n;
    T sums[4] = {};
    for (int64_t j = 0; j < op.desc.n; j += 4) {
      for (int64_t k = 0; k < 4; ++k) sums[k] += row[j + k];
    }
    op.y.data[i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  return opgen::Status::ok;
}

/// For any rows.
template <class T>
opgen::Status row_sums(const RowSumsView<T>& op) noexcept {
  for (int64_t i = 0; i < op.desc.m; ++i) {
    T sum = 0;
    for (int64_t j = 0; j < op.desc.n; ++j) sum += op.x.data[i * op.desc.n + j];
    op.y.data[i] = sum;
  }
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
