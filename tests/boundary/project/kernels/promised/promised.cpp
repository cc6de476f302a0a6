#include "promised.h"

#include <algorithm>

namespace boundary::cpu {

template <class T>
opgen::Status tempered(const TemperedView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) op.y.data[i] = T(op.x.data[i] * op.desc.scale);
  return opgen::Status::ok;
}

template <class T>
opgen::Status tempered_bwd(const TemperedBwdView<T>& op) noexcept {
  const double slope = op.desc.scale + (op.desc.tall ? 100 : 0) + 1000.0 * op.desc.n;
  for (int64_t i = 0; i < op.dy.numel(); ++i) op.dx.data[i] = T(op.dy.data[i] * slope);
  return opgen::Status::ok;
}

template <class T>
opgen::Status moved(const MovedView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    const int64_t j = i % op.desc.n;
    op.y.data[i] = op.x.data[i] * (op.by.data ? op.by.data[j] : T(1)) +
                   (op.more.data ? op.more.data[j] : T(0));
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status tall(const TallView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) op.y.data[i] = op.x.data[i];
  op.count.data[0] = float(op.x.numel());
  return opgen::Status::ok;
}

template <class T>
opgen::Status folded(const FoldedView<T>& op) noexcept {
  for (int64_t j = 0; j < op.desc.n; ++j) {
    T value = op.x.data[j];
    for (int64_t i = 1; i < op.desc.m; ++i) {
      const T next = op.x.data[i * op.desc.n + j];
      value = op.desc.mode == 0 ? value + next : std::max(value, next);
    }
    op.y.data[j] = value;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status joined(const JoinedView<T>& op) noexcept {
  for (int64_t k = 0; k < op.a.count; ++k) {
    for (int64_t i = 0; i < op.a[k].numel(); ++i) {
      op.y[k].data[i] = op.a[k].data[i] + op.b[k].data[i];
    }
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
