#include "square_sums.h"

namespace gallery_ops::cpu {

template <class T>
opgen::Status square_sums(const SquareSumsView<T>& op) noexcept {
  const int64_t n = op.desc.n;
  opgen::parallel(op.ctx, op.y.numel(), 1 + 4096 / (n + 1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      T sum = 0;
      for (int64_t j = row * n; j < (row + 1) * n; ++j) sum += op.x.data[j] * op.x.data[j];
      op.y.data[row] = sum;
    }
  });
  return opgen::Status::ok;
}

template <class T>
opgen::Status square_sums_bwd(const SquareSumsBwdView<T>& op) noexcept {
  const int64_t n = op.desc.n;
  opgen::parallel(op.ctx, op.dy.numel(), 1 + 4096 / (n + 1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t j = row * n; j < (row + 1) * n; ++j) {
        op.dx.data[j] = 2 * op.dy.data[row] * op.x.data[j];
      }
    }
  });
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
