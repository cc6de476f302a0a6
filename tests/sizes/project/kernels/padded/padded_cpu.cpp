#include "padded.h"

namespace padded::cpu {

template <class T, class View>
opgen::Status padded(const View& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t m = op.desc.m, n = op.desc.n;
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    const int64_t row = i / m, column = i % m;
    Acc value = column < n ? static_cast<Acc>(op.x.data[row * n + column]) : Acc(0);
    if (op.window.present()) value *= static_cast<Acc>(op.window.data[column]);
    op.y.data[i] = static_cast<T>(value);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status pad(const PadView<T>& op) noexcept {
  return padded<T>(op);
}

template <class T>
opgen::Status pad_to_four(const PadToFourView<T>& op) noexcept {
  return padded<T>(op);
}

template <class T>
opgen::Status pad_bwd(const PadBwdView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t m = op.desc.m, n = op.desc.n;
  for (int64_t i = 0; i < op.dx.numel(); ++i) {
    const int64_t row = i / n, column = i % n;
    Acc value = static_cast<Acc>(op.dy.data[row * m + column]);
    if (op.window.present()) value *= static_cast<Acc>(op.window.data[column]);
    op.dx.data[i] = static_cast<T>(value);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status framed(const FramedView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t m = op.desc.m, n = op.desc.n, k = op.desc.k;
  if (op.both.numel() != 2 * m || op.edge.numel() != k + m) return opgen::Status::unsupported;
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    const int64_t row = i / m, column = i % m;
    const T by = static_cast<T>(static_cast<Acc>(op.both.data[column]) +
                                static_cast<Acc>(op.both.data[m + column]));
    const Acc x = column < n ? static_cast<Acc>(op.x.data[row * n + column]) : Acc(0);
    op.y.data[i] = static_cast<T>(x * static_cast<Acc>(by));
  }
  for (int64_t j = 0; j < k; ++j) op.rest.data[j] = op.edge.data[m + j];
  return opgen::Status::ok;
}

template <class T>
opgen::Status framed_bwd(const FramedBwdView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t m = op.desc.m, n = op.desc.n, k = op.desc.k;
  for (int64_t i = 0; i < op.dx.numel(); ++i) {
    const int64_t row = i / n, column = i % n;
    const T by = static_cast<T>(static_cast<Acc>(op.both.data[column]) +
                                static_cast<Acc>(op.both.data[m + column]));
    op.dx.data[i] =
        static_cast<T>(static_cast<Acc>(op.dy.data[row * m + column]) * static_cast<Acc>(by));
  }
  for (int64_t j = 0; j < m + k; ++j) op.dedge.data[j] = j < m ? T(0) : op.drest.data[j - m];
  return opgen::Status::ok;
}

}  // namespace padded::cpu
