#include "decided.h"

#include <cstring>

namespace boundary::cpu {

template <class T, class Q>
opgen::Status weigh(const WeighView<T, Q>& op) noexcept {
  const int64_t n = op.w.numel();
  const T scale = op.scale.present() ? T(*op.scale.data) : T(1);
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.y.data[i] = op.x.data[i] * T(float(op.w.data[i % n])) * scale;
  }
  for (int64_t i = 0; i < n; ++i) op.again.data[i] = op.w.data[i];
  return opgen::Status::ok;
}

template <class T, class Q>
opgen::Status weigh_bwd(const WeighBwdView<T, Q>& op) noexcept {
  const int64_t n = op.w.numel();
  const T scale = op.scale.present() ? T(*op.scale.data) : T(1);
  for (int64_t i = 0; i < op.dy.numel(); ++i) {
    op.dx.data[i] = op.dy.data[i] * T(float(op.w.data[i % n])) * scale;
  }
  return opgen::Status::ok;
}

template <class T, class Q>
opgen::Status recast(const RecastView<T, Q>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.narrowed.data[i] = Q(float(2 * op.x.data[i]));
    op.y.data[i] = 2 * op.x.data[i];
  }
  return opgen::Status::ok;
}

template <class T, class Q>
opgen::Status recast_bwd(const RecastBwdView<T, Q>& op) noexcept {
  for (int64_t i = 0; i < op.dy.numel(); ++i) op.dx.data[i] = op.dy.data[i] * T(8 * sizeof(Q));
  return opgen::Status::ok;
}

template <class I>
opgen::Status numbered(const NumberedView<I>& op) noexcept {
  for (int64_t i = 0; i < op.which.numel(); ++i) {
    if (op.indices.present()) {
      static_cast<I*>(op.which.data)[i] = op.indices.data[i];
    } else {
      static_cast<int64_t*>(op.which.data)[i] = i;
    }
  }
  return opgen::Status::ok;
}

template <class T, class A>
opgen::Status cast_as(const CastAsView<T, A>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) op.y.data[i] = A(op.x.data[i]);
  return opgen::Status::ok;
}

}  // namespace boundary::cpu

namespace boundary {

extern "C" opgen::Status biased(const BiasedArgs* args) noexcept {
  std::memset(args->y.data, 0, args->y.numel() * sizeof(float));
  return opgen::Status::ok;
}

}  // namespace boundary
