#include "int8_rows.h"

#include <algorithm>

namespace gallery_ops::cpu {

template <class T>
opgen::Status int8_rows(const Int8RowsView<T>& op) noexcept {
  const int64_t k = op.desc.k, n = op.desc.n;
  opgen::parallel(op.ctx, op.y.numel(), 1 + 4096 / (k + 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* x = op.x.data + i / n * k;
      const int8_t* w = op.w.data.data + i % n * k;
      T sum = 0;
      for (int64_t first = 0; first < k; first += 1024) {  // sums of sums round less
        T part = 0;
        for (int64_t c = first; c < std::min(first + 1024, k); ++c) part += x[c] * T(w[c]);
        sum += part;
      }
      op.y.data[i] = sum * T(op.w.scale.data[i % n]);
    }
  });
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
