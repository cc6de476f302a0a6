#include "split_rows.h"

#include <algorithm>

namespace gallery_ops::cpu {

template <class T>
opgen::Status split_rows(const SplitRowsView<T>& op) noexcept {
  const T* next = op.x.data;
  for (int64_t i = 0; i < op.parts.count; ++i) {
    const auto part = op.parts[i];
    std::copy(next, next + part.numel(), part.data);
    next += part.numel();
  }
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
