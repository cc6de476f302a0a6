#include "add_scaled_.h"

namespace gallery_ops::cpu {

template <class T>
opgen::Status add_scaled_(const AddScaled_View<T>& op) noexcept {
  const T alpha = static_cast<T>(op.desc.alpha);
  opgen::parallel(op.ctx, op.x.numel(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) op.x.data[i] += alpha * op.y.data[i];
  });
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
