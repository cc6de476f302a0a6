// y = x * weight * factor +- shift, and the sum of each row; sizes come from the descriptor only.
#include "scaled.h"

namespace packed::cpu {

template <class T>
opgen::Status scaled(const ScaledView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t d = op.desc.d;
  const Acc sign = op.desc.negated ? Acc(-1) : Acc(1);
  const Acc shift = Acc(op.desc.mode == 0 ? op.desc.shift : -op.desc.shift);
  for (int64_t j = 0; j < d; ++j) {
    op.row.data[j] = sign * static_cast<Acc>(op.weight.data[j]) * Acc(op.desc.factor);
  }
  for (int64_t i = 0; i < op.desc.rows; ++i) {
    Acc total = 0;
    for (int64_t j = 0; j < d; ++j) {
      const Acc y = static_cast<Acc>(op.x.data[i * d + j]) * op.row.data[j] + sign * shift;
      op.y.data[i * d + j] = static_cast<T>(y);
      total += y;
    }
    op.total.data[i] = total;
  }
  return opgen::Status::ok;
}

}  // namespace packed::cpu
