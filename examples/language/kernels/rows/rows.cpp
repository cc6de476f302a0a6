#include "rows.h"

#include <cmath>

namespace language_ops::cpu {

template <class T>
opgen::Status unit_rows(const UnitRowsView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  for (int64_t i = 0; i < op.length.numel(); ++i) {
    const T* x = op.x.data + i * d;  // d
    T squares = 0;
    for (int64_t j = 0; j < d; ++j) squares += x[j] * x[j];
    op.length.data[i] = std::sqrt(squares);
    for (int64_t j = 0; j < d; ++j)
      op.y.data[i * d + j] = x[j] / op.length.data[i] * op.weight.data[j];
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status unit_rows_dx(const UnitRowsDxView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  for (int64_t i = 0; i < op.length.numel(); ++i) {
    const T *x = op.x.data + i * d, *dy = op.dy.data + i * d;  // d
    const T length = op.length.data[i];
    T along = 0;  // how much of the cotangent is along the row
    for (int64_t j = 0; j < d; ++j) along += dy[j] * op.weight.data[j] * x[j] / length;
    for (int64_t j = 0; j < d; ++j) {
      op.dx.data[i * d + j] = (dy[j] * op.weight.data[j] - along * x[j] / length) / length;
    }
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status unit_rows_dw(const UnitRowsDwView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  for (int64_t j = 0; j < d; ++j) op.dweight.data[j] = 0;
  for (int64_t i = 0; i < op.length.numel(); ++i) {
    for (int64_t j = 0; j < d; ++j) {
      op.dweight.data[j] += op.dy.data[i * d + j] * op.x.data[i * d + j] / op.length.data[i];
    }
  }
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
