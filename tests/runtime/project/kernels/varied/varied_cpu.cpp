#include "varied.h"

namespace varied::cpu {

template <class T>
opgen::Status affine(const AffineView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  const int64_t left = op.desc.pads[0];
  const int64_t width = left + d + op.desc.pads[1];
  T total = 0;
  for (int64_t r = 0; r < op.desc.rows; ++r) {
    for (int64_t j = 0; j < width; ++j) op.y.data[r * width + j] = 0;
    for (int64_t j = 0; j < d; ++j) {
      T value = op.x.data[r * d + j] * static_cast<T>(op.desc.factor);
      if (op.weight.present()) value *= op.weight.data[j];
      if (op.bias.present()) value += op.bias.data[j];
      if (op.desc.negated) value = -value;
      op.y.data[r * width + left + j] = value;
      if (op.row.present()) op.row.data[j] = value;
      total += value;
    }
  }
  if (op.summed.present()) *op.summed.data = total;
  return opgen::Status::ok;
}

template <class T>
opgen::Status accumulate_(const Accumulate_View<T>& op) noexcept {
  const int64_t row = op.ctx.program[0];
  for (int64_t j = 0; j < op.desc.n; ++j) {
    op.total.data[row * op.total.stride(0) + j] += op.x.data[row * op.x.stride(0) + j];
  }
  return opgen::Status::ok;
}

}  // namespace varied::cpu
