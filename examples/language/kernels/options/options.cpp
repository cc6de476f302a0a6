#include "options.h"

namespace language_ops::cpu {

template <class T>
opgen::Status polynomial(const PolynomialView<T>& op) noexcept {
  const double* coefficients = op.desc.coefficients;
  const int64_t count = op.desc.coefficients_rank;
  opgen::parallel(op.ctx, op.x.numel(), 1024, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T y = 0;
      for (int64_t j = count - 1; j >= 0; --j)
        y = y * op.x.data[i] + static_cast<T>(coefficients[j]);
      op.y.data[i] = y;
    }
  });
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
