#include "strides.h"

namespace boundary::cpu {

namespace {

/// Calls `f(from, to)` for each pair of elements of two tensors with the same shape.
template <class From, class To, class F>
void pairs(const From& from, const To& to, const F& f) noexcept {
  for (int64_t i = 0; i < from.numel(); ++i) {
    int64_t rest = i, source = 0, target = 0;
    for (int32_t dim = from.rank - 1; dim >= 0; --dim) {
      const int64_t at = rest % from.size(dim);
      rest /= from.size(dim);
      source += at * from.stride(dim);
      target += at * to.stride(dim);
    }
    f(from.data[source], to.data[target]);
  }
}

template <class From, class To>
void copy(const From& from, const To& to) noexcept {
  pairs(from, to, [](const auto& x, auto& y) { y = x; });
}

template <class Tensor>
void note(const Tensor& tensor, int64_t* seen, int32_t count) noexcept {
  for (int32_t dim = 0; dim < count; ++dim) seen[dim] = dim < tensor.rank ? tensor.stride(dim) : -1;
}

}  // namespace

template <class T>
opgen::Status mirrored(const MirroredView<T>& op) noexcept {
  copy(op.x, op.y);
  copy(op.z, op.zs);
  // Both have the same strides, without gaps.
  for (int64_t i = 0; i < op.xs.count; ++i) {
    for (int64_t k = 0; k < op.xs[i].numel(); ++k) op.ys[i].data[k] = op.xs[i].data[k];
  }
  note(op.y, op.seen.data, 4);
  note(op.z, op.seen.data + 4, 2);
  note(op.zs, op.seen.data + 6, 2);
  return opgen::Status::ok;
}

template <class T>
opgen::Status gathered(const GatheredView<T>& op) noexcept {
  for (int64_t t = 0; t < op.desc.t; ++t) {
    const T* const block = op.x.data + t * op.desc.x_stride_t;
    T total = 0;
    for (int64_t i = 0; i < op.desc.h * op.desc.d; ++i) total += block[i];
    op.y.data[t] = total;
  }
  copy(op.z, op.zs);
  op.seen.data[0] = op.desc.x_stride_t;
  op.seen.data[1] = op.desc.z_stride_m;
  op.seen.data[2] = op.desc.z_stride_n;
  return opgen::Status::ok;
}

template <class T>
opgen::Status turned(const TurnedView<T>& op) noexcept {
  copy(op.x, op.y);
  copy(op.k, op.ks);
  for (int64_t i = 0; i < op.ws.count; ++i) {
    for (int64_t k = 0; k < op.ws[i].numel(); ++k) op.ws[i].data[k] *= 2;
  }
  note(op.x, op.seen.data, 5);
  note(op.z, op.seen.data + 5, 5);
  note(op.k, op.seen.data + 10, 5);
  note(op.y, op.seen.data + 15, 5);
  return opgen::Status::ok;
}

template <class T>
opgen::Status bump_all(const BumpAllView<T>& op) noexcept {
  T total = 0;
  for (int64_t i = 0; i < op.xs.count; ++i) {
    note(op.xs[i], op.seen.data + 2 * i, 2);
    for (int64_t k = 0; k < op.xs[i].numel(); ++k) {  // no gaps in any case
      const T sum = op.xs[i].data[k] + *op.by.data;
      total += sum;
      if (op.desc.inplace) op.xs[i].data[k] = sum;
    }
  }
  *op.y.data = total;
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
