#include "add_bias.h"

namespace gallery_ops::cpu {

template <class T>
opgen::Status add_bias(const AddBiasView<T>& op) noexcept {
  const int64_t n = op.desc.n;
  opgen::parallel(op.ctx, op.x.numel(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      op.y.data[i] = op.bias.present() ? op.x.data[i] + op.bias.data[i % n] : op.x.data[i];
    }
  });
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
