#include "windows.h"

namespace language_ops::cpu {

template <class T>
opgen::Status window_sums(const WindowSumsView<T>& op) noexcept {
  const int64_t width = op.desc.width, step = op.desc.step, n = op.desc.n;
  const int64_t m = op.sums.size(op.sums.rank - 1);
  opgen::parallel(op.ctx, op.sums.numel(), 1024, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* first = op.x.data + i / m * n + i % m * step;
      T sum = 0;
      for (int64_t j = 0; j < width; ++j) sum += first[j];
      op.sums.data[i] = sum;
    }
  });
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
