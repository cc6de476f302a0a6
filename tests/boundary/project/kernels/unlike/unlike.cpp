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

}  // namespace boundary::cpu
