#include "optimizers.h"

namespace language_ops::cpu {

template <class T>
opgen::Status momentum_(const Momentum_View<T>& op) noexcept {
  const T lr = static_cast<T>(*op.lr.data);
  const T momentum = static_cast<T>(op.desc.momentum);
  for (int64_t i = 0; i < op.params.count; ++i) {
    T* p = op.params[i].data;       // *s[i]
    const T* g = op.grads[i].data;  // *s[i]
    T* m = op.momenta[i].data;      // *s[i]
    opgen::parallel(op.ctx, op.params[i].numel(), 4096, [=](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        m[j] = momentum * m[j] + g[j];
        p[j] -= lr * m[j];
      }
    });
  }
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
