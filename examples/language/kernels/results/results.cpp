#include "results.h"

#include <algorithm>

namespace language_ops::cpu {

template <class T>
opgen::Status means(const MomentsView<T>& op) noexcept {
  const int64_t n = op.desc.n;
  opgen::parallel(op.ctx, op.desc.m, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T sum = 0;
      for (int64_t j = 0; j < n; ++j) sum += op.x.data[i * n + j];
      op.mean.data[i] = sum / n;
    }
  });
  return opgen::Status::ok;
}

template <class T>
opgen::Status moments(const MomentsView<T>& op) noexcept {
  means(op);
  const int64_t n = op.desc.n;
  opgen::parallel(op.ctx, op.desc.m, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T squares = 0;
      for (int64_t j = 0; j < n; ++j) {
        const T off = op.x.data[i * n + j] - op.mean.data[i];
        squares += off * off;
      }
      op.variance.data[i] = squares / n;
    }
  });
  return opgen::Status::ok;
}

template <class T>
opgen::Status split_rows(const SplitRowsView<T>& op) noexcept {
  const T* next = op.x.data;
  for (int64_t i = 0; i < op.parts.count; ++i) {
    const auto part = op.parts[i];
    std::copy(next, next + part.numel(), part.data);
    next += part.numel();
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status accumulate(const AccumulateView<T>& op) noexcept {
  opgen::parallel(op.ctx, op.sum.numel(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      op.sum.data[i] = op.total.data[i] + op.x.data[i];
      if (op.desc.in_place) op.total.data[i] = op.sum.data[i];
    }
  });
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
