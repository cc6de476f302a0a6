#include "chosen.h"

namespace boundary::cpu {

template <class T>
opgen::Status stamp_as(const StampedView<T>& op, int64_t number) noexcept {
  for (int64_t i = 0; i < op.y.numel(); ++i) op.y.data[i] = 2 * op.x.data[i];
  *op.seen.data = number;
  return opgen::Status::ok;
}

// Each function accepts one dtype, so the rendered code must not call it with the other dtype.
inline opgen::Status stamp_wide(const StampedView<double>& op) noexcept { return stamp_as(op, 1); }
inline opgen::Status stamp_by(const StampedView<float>& op) noexcept { return stamp_as(op, 2); }
inline opgen::Status stamp_rows(const StampedView<float>& op) noexcept { return stamp_as(op, 3); }
inline opgen::Status stamp(const StampedView<float>& op) noexcept { return stamp_as(op, 4); }

}  // namespace boundary::cpu

extern "C" opgen::Status stamp_a(const boundary::StampedPlainArgs* args) noexcept {
  static_cast<int64_t*>(args->seen.data)[args->ctx->program[0]] = 10 + args->ctx->program[0];
  return opgen::Status::ok;
}

extern "C" opgen::Status stamp_b(const boundary::StampedPlainArgs* args) noexcept {
  static_cast<int64_t*>(args->seen.data)[args->ctx->program[0]] = 20 + args->ctx->program[0];
  return opgen::Status::ok;
}
