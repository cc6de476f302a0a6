// Kernels that log which results they write. `take_log` returns the log.
#include "chosen.h"

#include <cmath>

namespace {

// One letter for each written result, in the order of the calls.
char log_[1024];
size_t length_ = 0;

void note(char letter) {
  if (length_ + 1 < sizeof log_) log_[length_++] = letter;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const char* take_log() {
  static char copy[sizeof log_];
  for (size_t i = 0; i < length_; ++i) copy[i] = log_[i];
  copy[length_] = '\0';
  length_ = 0;
  return copy;
}

namespace chosen::cpu {

template <class T>
opgen::Status affine(const AffineView<T>& op) noexcept {
  const int64_t d = op.x.size(op.x.rank - 1);
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    T value = op.x.data[i];
    if (op.weight.present()) value *= op.weight.data[i % d];
    if (op.bias.present()) value += op.bias.data[i % d];
    op.y.data[i] = value;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status affine_bwd(const AffineBwdView<T>& op) noexcept {
  const int64_t d = op.dy.size(op.dy.rank - 1);
  if (op.dx.present()) note('x');
  if (op.dweight.present()) note('w');
  if (op.dbias.present()) note('b');
  for (int64_t j = 0; j < d; ++j) {
    if (op.dweight.present()) op.dweight.data[j] = 0;
    if (op.dbias.present()) op.dbias.data[j] = 0;
  }
  for (int64_t i = 0; i < op.dy.numel(); ++i) {
    const T dy = op.dy.data[i];
    if (op.dx.present()) op.dx.data[i] = op.weight.present() ? dy * op.weight.data[i % d] : dy;
    if (op.dweight.present()) op.dweight.data[i % d] += dy * op.x.data[i];
    if (op.dbias.present()) op.dbias.data[i % d] += dy;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status root(const RootView<T>& op) noexcept {
  if (op.half.present()) note('h');
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.y.data[i] = std::sqrt(op.x.data[i]);
    if (op.half.present()) op.half.data[i] = T(0.5) / op.y.data[i];
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status root_bwd(const RootBwdView<T>& op) noexcept {
  for (int64_t i = 0; i < op.dy.numel(); ++i) op.dx.data[i] = op.dy.data[i] * op.half.data[i];
  return opgen::Status::ok;
}

template <class T>
opgen::Status product(const ProductView<T>& op) noexcept {
  note('p');
  for (int64_t i = 0; i < op.a.numel(); ++i) op.y.data[i] = op.a.data[i] * op.b.data[i];
  return opgen::Status::ok;
}

template <class T>
opgen::Status pool(const PoolView<T>& op) noexcept {
  const int64_t n = op.x.size(op.x.rank - 1);
  for (int64_t row = 0; row < op.y.numel(); ++row) {
    const T* x = op.x.data + row * n;
    T y = x[0];
    for (int64_t i = 1; i < n; ++i) {
      if (op.desc.mode == 0) y += x[i];
      if (op.desc.mode == 1 && x[i] > y) y = x[i];
    }
    op.y.data[row] = y;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status pool_bwd(const PoolBwdView<T>& op) noexcept {
  note('m');
  const int64_t n = op.x.size(op.x.rank - 1);
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.dx.data[i] = op.x.data[i] == op.y.data[i / n] ? op.dy.data[i / n] : T(0);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status scaled(const ScaledView<T>& op) noexcept {
  const T factor = op.factor.present() ? *op.factor.data : T(1);
  for (int64_t i = 0; i < op.x.numel(); ++i) op.y.data[i] = op.x.data[i] * factor;
  return opgen::Status::ok;
}

template <class T>
opgen::Status dense_twice(const DenseTwiceView<T>& op) noexcept {
  const auto& desc = op.desc;
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    const int64_t at = i / desc.n * desc.x_stride_m + i % desc.n * desc.x_stride_n;
    op.y.data[i] = 2 * op.x.data[at];
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status cube(const CubeView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.kept.data[i] = op.x.data[i] * op.x.data[i];
    op.y.data[i] = op.kept.data[i] * op.x.data[i];
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status square(const SquareView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.kept.data[i] = 2 * op.x.data[i];
    op.y.data[i] = op.x.data[i] * op.x.data[i];
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status square_bwd(const SquareBwdView<T>& op) noexcept {
  for (int64_t i = 0; i < op.dx.numel(); ++i) op.dx.data[i] = op.dy.data[i] * op.kept.data[i];
  return opgen::Status::ok;
}

template <class T>
opgen::Status doubled(const DoubledView<T>& op) noexcept {
  for (int64_t n = 0; n < op.xs.count; ++n) {
    for (int64_t i = 0; i < op.xs[n].numel(); ++i) op.ys[n].data[i] = 2 * op.xs[n].data[i];
  }
  return opgen::Status::ok;
}

}  // namespace chosen::cpu
