#include "attend.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gallery_ops::cpu {

template <class T>
opgen::Status attend(const AttendView<T>& op) noexcept {
  const int64_t m = op.desc.m, n = op.desc.n, d = op.desc.d, e = op.desc.e;
  const T scale = 1 / std::sqrt(T(d));
  opgen::parallel(op.ctx, e == 0 ? 0 : op.y.numel() / e, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* q = op.q.data + row * d;
      const T* k = op.k.data + row / m * n * d;
      const T* v = op.v.data + row / m * n * e;
      T* y = op.y.data + row * e;
      std::fill_n(y, e, T(0));
      // Online softmax: `sum` and `y` are relative to the largest score so far.
      T largest = -std::numeric_limits<T>::infinity(), sum = 0;
      for (int64_t j = 0; j < n; ++j) {
        T score = 0;
        for (int64_t c = 0; c < d; ++c) score += q[c] * k[j * d + c];
        score *= scale;
        if (score == -std::numeric_limits<T>::infinity()) continue;  // a weight of 0
        const T next = std::max(largest, score);
        const T shrink = std::exp(largest - next), weight = std::exp(score - next);
        sum = sum * shrink + weight;
        for (int64_t c = 0; c < e; ++c) y[c] = y[c] * shrink + weight * v[j * e + c];
        largest = next;
      }
      for (int64_t c = 0; c < e; ++c) y[c] /= sum;
    }
  });
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
