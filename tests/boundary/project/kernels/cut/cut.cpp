#include "cut.h"

#include <algorithm>

namespace boundary::cpu {

template <class T>
opgen::Status cut(const CutView<T>& op) noexcept {
  const T* next = op.x.data;
  for (int64_t i = 0; i < op.parts.count; ++i) {
    const auto part = op.parts[i];
    if (part.size(1) != op.desc.d) return opgen::Status::unsupported;
    std::copy(next, next + part.numel(), part.data);
    next += part.numel();
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status cut_bwd(const CutBwdView<T>& op) noexcept {
  T* next = op.dx.data;
  for (int64_t i = 0; i < op.dparts.count; ++i) {
    const auto part = op.dparts[i];
    next = std::copy(part.data, part.data + part.numel(), next);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status between(const BetweenView<T>& op) noexcept {
  const T* next = op.x.data + op.desc.begin * op.desc.d;
  for (int64_t i = 0; i < op.parts.count; ++i) {
    const auto part = op.parts[i];
    std::copy(next, next + part.numel(), part.data);
    next += part.numel();
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status scaled_by(const ScaledByView<T>& op) noexcept {
  for (int64_t i = 0; i < op.z.count; ++i) {
    std::copy(op.x[i].data, op.x[i].data + op.z[i].numel(), op.z[i].data);
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
