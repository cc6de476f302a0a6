#include "arranged.h"

namespace boundary::cpu {

namespace {

template <class From, class To>
void copy(const From& from, const To& to) {
  const int64_t m = from.size(1), n = from.size(2);
  for (int64_t i = 0; i < to.numel(); ++i) {
    to.data[i] = from.data[i / (m * n) * from.stride(0) + i / n % m * from.stride(1) +
                           i % n * from.stride(2)];
  }
}

}  // namespace

template <class T>
opgen::Status rearranged(const RearrangedView<T>& op) noexcept {
  for (int64_t i = 0; i < 3; ++i) {
    op.seen.data[i] = op.x.stride(i);
    op.seen.data[3 + i] = op.z.present() ? op.z.stride(i) : 0;
  }
  copy(op.x, op.y);
  if (op.z.present()) copy(op.z, op.zs);
  return opgen::Status::ok;
}

template <class T>
opgen::Status bump(const BumpView<T>& op) noexcept {
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    op.y.data[i] = op.x.data[i] + *op.by.data;
    if (op.desc.inplace) op.x.data[i] = op.y.data[i];
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
