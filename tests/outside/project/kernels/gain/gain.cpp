// x * gain and its gradient on the CPU.
#include "gain.h"

namespace acme_ops::cpu {

template <class T>
opgen::Status gain(const GainView<T>& op) noexcept {
  const T* x = op.x.data;        // *batch n
  const T* gain = op.gain.data;  // n
  T* y = op.y.data;              // *batch n
  const int64_t n = op.desc.n;
  opgen::parallel(op.ctx, op.x.numel(), 4096, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = x[i] * gain[i % n];
  });
  return opgen::Status::ok;
}

template <class T>
opgen::Status gain_bwd(const GainBwdView<T>& op) noexcept {
  const T* dy = op.dy.data;      // *batch n
  const T* x = op.x.data;        // *batch n
  const T* gain = op.gain.data;  // n
  T* dx = op.dx.data;            // *batch n
  T* dgain = op.dgain.data;      // n
  const int64_t n = op.desc.n;
  const int64_t rows = op.desc.batch;
  opgen::parallel(op.ctx, n, 16, [=](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      T sum = 0;
      for (int64_t i = j; i < rows * n; i += n) {
        dx[i] = dy[i] * gain[j];
        sum += dy[i] * x[i];
      }
      dgain[j] = sum;
    }
  });
  return opgen::Status::ok;
}

}  // namespace acme_ops::cpu
