// -x on the CPU.
#include "tensor_negate.h"

#include "opgen/rows.h"

namespace generated::cpu {

template <class T>
opgen::Status tensor_negate(const TensorNegateView<T>& op) noexcept {
  const T* x = op.x.data;  // *s
  opgen::elementwise<T>(op.ctx, op.y.data, op.x.numel(), [=](auto v) {
    v.prefetch_if_streaming(x);
    return -v.load(x);
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
