#include "listed.h"

namespace chosen::cpu {

template <class T>
opgen::Status scaled_all(const ScaledAllView<T>& op) noexcept {
  for (int64_t n = 0; n < op.xs.count; ++n) {
    for (int64_t i = 0; i < op.xs[n].numel(); ++i) {
      const T weight = op.weight.present() ? op.weight.data[i % op.desc.d] : T(1);
      op.ys[n].data[i] = *op.scale.data * op.xs[n].data[i] * weight;
    }
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status squared_all(const SquaredAllView<T>& op) noexcept {
  for (int64_t n = 0; n < op.xs.count; ++n) {
    for (int64_t i = 0; i < op.xs[n].numel(); ++i) {
      op.ys[n].data[i] = op.xs[n].data[i] * op.xs[n].data[i];
    }
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status multiplied_all(const MultipliedAllView<T>& op) noexcept {
  for (int64_t n = 0; n < op.xs.count; ++n) {
    for (int64_t i = 0; i < op.xs[n].numel(); ++i) {
      const T w = op.ws.count ? op.ws[n].data[i] : T(1);
      op.ys[n].data[i] = *op.scale.data * op.xs[n].data[i] * w;
    }
  }
  return opgen::Status::ok;
}

}  // namespace chosen::cpu
