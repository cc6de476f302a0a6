#include "measured.h"

#include <algorithm>
#include <complex>

namespace boundary::cpu {

template <class T>
opgen::Status packed(const PackedView<T>& op) noexcept {
  const int64_t bits = 8 * sizeof(T);
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    op.y.data[i] = 0;
    for (int64_t j = 0; j < bits; ++j) op.y.data[i] += op.x.data[i * bits + j];
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status extended(const ExtendedView<T>& op) noexcept {
  const int64_t head = op.desc.m * op.desc.n;
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    op.y.data[i] = i < head ? op.x.data[i] : op.more.data[i - head];
  }
  const int64_t seen[] = {op.desc.b, op.desc.m, op.desc.k, op.desc.rows, op.more.rank};
  for (int i = 0; i < 5; ++i) op.seen.data[i] = double(seen[i]);
  return opgen::Status::ok;
}

template <class T>
opgen::Status gated(const GatedView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.y.data[i] = op.x.data[i] * (op.by.data ? op.by.data[i % op.desc.n] : T(1));
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status gated_bwd(const GatedBwdView<T>& op) noexcept {
  const T scale = op.desc.scale == 0 ? T(1) : T(op.desc.scale);
  for (int64_t i = 0; i < op.dy.numel(); ++i) {
    op.dx.data[i] = op.dy.data[i] * scale * (op.by.data ? op.by.data[i % op.desc.n] : T(100));
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status segmented(const SegmentedView<T>& op) noexcept {
  int64_t at = 0;
  for (int64_t i = 0; i < op.desc.s; ++i) {
    op.y.data[i] = 0;
    for (int32_t j = 0; j < op.counts.data[i]; ++j) op.y.data[i] += op.x.data[at++];
    if (op.w.data) op.y.data[i] *= op.w.data[i];
  }
  return opgen::Status::ok;
}

template <class C>
opgen::Status rotated(const RotatedView<C>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.y.data[i] = op.x.data[i] * C(op.desc.by);
    op.norm.data[i] = std::norm(op.y.data[i]);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status weighed(const WeighedView<T>& op) noexcept {
  for (int64_t k = 0; k < op.xs.count; ++k) {
    for (int64_t i = 0; i < op.xs[k].numel(); ++i) {
      op.ys[k].data[i] = op.xs[k].data[i] * op.w.data[i % op.desc.d];
    }
    op.rows[k].data[0] = op.xs[k].size(0);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status weighed_bwd(const WeighedBwdView<T>& op) noexcept {
  std::fill_n(op.dw.data, op.desc.d, T(0));
  for (int64_t k = 0; k < op.xs.count; ++k) {
    for (int64_t i = 0; i < op.xs[k].numel(); ++i) {
      op.dxs[k].data[i] = op.dys[k].data[i] * op.w.data[i % op.desc.d];
      op.dw.data[i % op.desc.d] += op.dys[k].data[i] * op.xs[k].data[i];
    }
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
