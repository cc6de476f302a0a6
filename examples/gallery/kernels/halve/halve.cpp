#include "halve.h"

namespace gallery_ops::cpu {

template <class T, class Y>
void halve_into(Y* y, const HalveView<T>& op) {
  const T* x = op.x.data;
  opgen::parallel(op.ctx, op.x.numel(), 4096, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = static_cast<Y>(static_cast<float>(x[i]) / 2);
  });
}

template <class T>
opgen::Status halve(const HalveView<T>& op) noexcept {
  if (op.desc.wide) {
    halve_into(static_cast<float*>(op.y.data), op);
  } else {
    halve_into(static_cast<T*>(op.y.data), op);
  }
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
