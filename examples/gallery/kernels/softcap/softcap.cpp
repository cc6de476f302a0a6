#include "softcap.h"

#include <cmath>

namespace gallery_ops::cpu {

template <class T>
opgen::Status softcap(const SoftcapView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;  // float for bf16
  const Acc cap = static_cast<Acc>(op.desc.cap);
  const T* x = op.x.data;
  T* y = op.y.data;
  opgen::parallel(op.ctx, op.x.numel(), 4096, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      y[i] = static_cast<T>(cap * std::tanh(static_cast<Acc>(x[i]) / cap));
    }
  });
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
