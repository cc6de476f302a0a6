#include "demanding.h"

#include <algorithm>

namespace boundary::cpu {

/// Computes y = x * factor, and sets `ran` to 1 for each row.
template <class T, class View>
opgen::Status scale(const View& op) noexcept {
  const int64_t n = op.desc.n;
  for (int64_t row = 0; row < op.ran.numel(); ++row) op.ran.data[row] = 1;
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    op.y.data[i] = static_cast<T>(op.x.data[i] * op.desc.factor);
  }
  // Without `extra`, the spec's dim group `more` has no sizes, and its product is defined as 0.
  const bool told = op.extra.present() ? op.desc.more == op.extra.numel() : op.desc.more == 0;
  return told && n % 4 == 0 ? opgen::Status::ok : opgen::Status::unsupported;
}

template <class T>
opgen::Status scaled(const ScaledView<T>& op) noexcept {
  return scale<T>(op);
}

template <class T>
opgen::Status scaled_strictly(const StrictView<T>& op) noexcept {
  return scale<T>(op);
}

int64_t flipped_bytes(const FlippedDescriptor& desc, opgen::DeviceProperties device) noexcept {
  return device.sms > 0 ? desc.n * 8 : -1;
}

/// Computes y[i] = x[n - 1 - i]. Only the first program of the grid does the work.
template <class T>
opgen::Status flipped(const FlippedView<T>& op) noexcept {
  if (op.ctx.program[0] != 0) return opgen::Status::ok;
  const int64_t n = op.desc.n;
  if (op.ctx.workspace_bytes != n * 8) return opgen::Status::out_of_memory;
  T* const copy = static_cast<T*>(op.ctx.workspace);
  std::reverse_copy(op.x.data, op.x.data + n, copy);
  std::copy(copy, copy + n, op.y.data);
  std::fill(op.rows.data, op.rows.data + op.rows.numel(), 0.0f);
  *op.size.data = op.ctx.workspace_bytes;
  *op.most.data = op.rows.size(0) == op.ctx.grid[0] ? op.ctx.grid[0] : -1;
  return opgen::Status::ok;
}

template <template <class> class View, class B>
opgen::Status count(const View<B>& op) noexcept {
  using Index = typename View<B>::Index;
  static_assert(sizeof(Index) == 4);
  *op.count.data = static_cast<Index>(op.x.numel());
  return opgen::Status::ok;
}

template <class B>
opgen::Status narrow(const NarrowView<B>& op) noexcept {
  return count(op);
}

template <class B>
opgen::Status narrow_or_not(const NarrowOrNotView<B>& op) noexcept {
  return count(op);
}

}  // namespace boundary::cpu
