#include "hosted.h"

#include <algorithm>

namespace boundary::cpu {

template <class T>
opgen::Status picked(const PickedView<T>& op) noexcept {
  for (int64_t i = 0; i < op.desc.k; ++i) {
    op.y.data[i] = op.x.data[op.places.data[i]] * T(op.times.data[0]);
  }
  op.used.data[0] = op.seed.data[0];
  return opgen::Status::ok;
}

template <class T>
opgen::Status picked_bwd(const PickedBwdView<T>& op) noexcept {
  std::fill_n(op.dx.data, op.desc.n, T(0));
  for (int64_t i = 0; i < op.desc.k; ++i) {
    op.dx.data[op.places.data[i]] += op.dy.data[i] * T(op.times.data[0]);
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
