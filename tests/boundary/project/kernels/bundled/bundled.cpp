#include "bundled.h"

#include <algorithm>
#include <cmath>

namespace boundary::cpu {

template <class T>
opgen::Status product(const ProductView<T>& op) noexcept {
  const int64_t o = op.desc.o, n = op.desc.n;
  for (int64_t row = 0; row < op.desc.batch; ++row) {
    for (int64_t j = 0; j < o; ++j) {
      const T zero = op.w.zero.present() ? op.w.zero.data[j] : T(0);
      T sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        sum += op.x.data[row * n + i] * (T(op.w.data.data[j * n + i]) - zero);
      }
      op.y.data[row * o + j] = sum * op.w.scale.data[j];
    }
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status product_bwd(const ProductBwdView<T>& op) noexcept {
  const int64_t o = op.desc.o, n = op.desc.n;
  const bool shifted = op.w.zero.present();
  std::fill_n(op.dx.data, op.dx.numel(), T(0));
  for (int64_t j = 0; j < o; ++j) {
    const T zero = shifted ? op.w.zero.data[j] : T(0), scale = op.w.scale.data[j];
    T dscale = 0, dzero = 0;
    for (int64_t row = 0; row < op.desc.batch; ++row) {
      const T dy = op.dy.data[row * o + j];
      for (int64_t i = 0; i < n; ++i) {
        const T x = op.x.data[row * n + i], value = T(op.w.data.data[j * n + i]) - zero;
        op.dx.data[row * n + i] += dy * value * scale;
        dscale += dy * x * value;
        dzero -= dy * x * scale;
      }
    }
    op.dw.scale.data[j] = dscale;
    if (shifted) op.dw.zero.data[j] = dzero;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status quantize(const QuantizeView<T>& op) noexcept {
  const int64_t m = op.desc.m, k = op.desc.k;
  *op.rows.data = m;
  for (int64_t row = 0; row < m; ++row) {
    const T* x = op.x.data + row * k;
    T middle = 0, most = 0;
    if (op.desc.shift != 0)
      middle = (*std::min_element(x, x + k) + *std::max_element(x, x + k)) / 2;
    for (int64_t i = 0; i < k; ++i) most = std::max(most, std::abs(x[i] - middle));
    const T scale = most / 127;
    op.q.scale.data[row] = scale;
    if (op.desc.shift != 0) op.q.zero.data[row] = -middle / scale;
    for (int64_t i = 0; i < k; ++i) {
      op.q.data.data[row * k + i] = static_cast<int8_t>(std::nearbyint((x[i] - middle) / scale));
    }
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status swapped(const SwappedView<T>& op) noexcept {
  *op.y.data = *op.x.data;
  if (!op.p.left.present()) return opgen::Status::ok;
  for (int64_t i = 0; i < op.p.left.numel(); ++i) {
    op.q.left.data[i] = 2 * op.p.right.data[i];
    op.q.right.data[i] = 2 * op.p.left.data[i];
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
