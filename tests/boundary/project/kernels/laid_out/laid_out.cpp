#include "laid_out.h"

namespace boundary::cpu {

namespace {

/// Copies each element of `from` to `to`, which has the same shape and may have other strides.
template <class T>
void copy(const opgen::Tensor<const T>& from, const opgen::Tensor<T>& to) noexcept {
  for (int64_t i = 0; i < from.numel(); ++i) {
    int64_t rest = i, source = 0, target = 0;
    for (int32_t dim = from.rank - 1; dim >= 0; --dim) {
      const int64_t at = rest % from.size(dim);
      rest /= from.size(dim);
      source += at * from.stride(dim);
      target += at * to.stride(dim);
    }
    to.data[target] = from.data[source];
  }
}

}  // namespace

template <class T>
opgen::Status relaid(const RelaidView<T>& op) noexcept {
  copy(op.x, op.y);
  copy(op.z, op.zs);
  // The memory has no gaps, so the order of elements does not matter.
  for (int64_t i = 0; i < op.total.numel(); ++i) op.total.data[i] *= 2;
  const auto note = [&](int row, const auto& tensor) {
    for (int dim = 0; dim < 3 && dim < tensor.rank; ++dim) {
      op.seen.data[3 * row + dim] = tensor.stride(tensor.rank - 1 - dim);
    }
  };
  for (int i = 0; i < 12; ++i) op.seen.data[i] = 0;
  note(0, op.x);
  note(1, op.z);
  note(2, op.y);
  note(3, op.zs);
  return opgen::Status::ok;
}

/// All tensors have the same strides, without gaps.
template <class T>
opgen::Status nudge_(const Nudge_View<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    const T by = op.by.data[i] + (op.more.present() ? op.more.data[i] : T(0));
    op.x.data[i] += *op.times.data * by;
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
