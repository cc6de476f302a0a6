#include "narrow.h"

using opgen::half_byte;
using opgen::set_half_byte;

namespace number_types {
namespace cpu {

template <class Half>
opgen::Status flip(const FlipView<Half>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.bits.data[i] = half_byte(op.x.data, i);
    set_half_byte(op.y.data, i, static_cast<uint8_t>(~op.bits.data[i]));
  }
  return opgen::Status::ok;
}

template <class Half>
opgen::Status mirror(const MirrorView<Half>& op) noexcept {
  const int64_t n = op.desc.n;
  for (int64_t i = 0; i < n; ++i) set_half_byte(op.kept.data, i, half_byte(op.x.data, n - 1 - i));
  for (int64_t i = 0; i < n; ++i) set_half_byte(op.y.data, n + i, half_byte(op.kept.data, i));
  return opgen::Status::ok;
}

}  // namespace cpu

extern "C" opgen::Status joined(const JoinedArgs* args) noexcept {
  const auto* bits = static_cast<const uint8_t*>(args->bits.data);
  auto* y = static_cast<opgen::f4e2m1*>(args->y.data);
  for (int64_t i = 0; i < args->bits.numel(); ++i) set_half_byte(y, i, bits[i]);
  return opgen::Status::ok;
}

extern "C" opgen::Status scales(const ScalesArgs* args) noexcept {
  const auto* x = static_cast<const opgen::f8e8m0*>(args->x.data);
  auto* y = static_cast<opgen::f8e8m0*>(args->y.data);
  for (int64_t i = 0; i < args->x.numel(); ++i) y[i].bits = static_cast<uint8_t>(x[i].bits + 1);
  return opgen::Status::ok;
}

extern "C" opgen::Status filled(const FilledArgs*) noexcept { return opgen::Status::ok; }

}  // namespace number_types
