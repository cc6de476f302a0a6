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

template <class T, class To>
opgen::Status cast(const CastView<T, To>& op) noexcept {
  for (int64_t i = 0; i < op.desc.s; ++i) {
    op.y.data[i] = static_cast<To>(op.x.data[i] * op.desc.scale);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status scale_each_(const ScaleEach_View<T>& op) noexcept {
  *op.y.data = 0;
  for (int64_t i = 0; i < op.xs.count; ++i) {
    const T weight = *op.ws[i].data;
    *op.y.data += weight;
    for (int64_t j = 0; j < op.xs[i].numel(); ++j) {
      op.xs[i].data[j] *= weight;
      if (op.extra.count > 0) op.xs[i].data[j] += op.extra[i].data[j];
    }
  }
  return opgen::Status::ok;
}

}  // namespace varied::cpu

extern "C" opgen::Status add_halves(const varied::HalvesArgs* args) noexcept {
  const int64_t h = args->desc->h;
  const float* x = static_cast<const float*>(args->x.data);
  for (int64_t i = 0; i < args->desc->s * h; ++i) {
    const int64_t at = i / h * 2 * h + i % h;
    static_cast<float*>(args->y.data)[i] = x[at] + x[at + h];
    static_cast<float*>(args->twice.data)[i] = 2 * (x[at] + x[at + h]);
  }
  return opgen::Status::ok;
}
