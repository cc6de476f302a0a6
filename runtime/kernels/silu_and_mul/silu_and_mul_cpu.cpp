// silu(a) * b, with a and b the halves of each row of x, and its gradient on the CPU.
//
// Shazeer, GLU Variants Improve Transformer, 2020: SwiGLU without its matrices.
#include "silu_and_mul.h"

#include <algorithm>

#include "opgen/rows.h"

namespace generated::cpu {

/// 1 / sigmoid(a). Beyond 80 sigmoid(a) is 1, and below -80 it is 0, to any accuracy that is left in
/// a product with `a`; where exp overflows it would be 0, whose product with an infinite `a` is NaN.
template <class Acc>
opgen::Vector<Acc> inverse_sigmoid(opgen::Vector<Acc> a) {
  return 1 + opgen::exp_of<Acc>(-opgen::clamp<Acc>(a, -80, 80));
}

template <class T>
opgen::Status silu_and_mul(const SiluAndMulView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t columns = op.desc.d;
  const int64_t rows = op.desc.batch;
  const T* x = op.x.data;  // rows 2*columns
  T* y = op.y.data;        // rows columns

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * columns * sizeof(T));
    for (int64_t row = begin; row < end; ++row) {
      const T* a = x + row * 2 * columns;
      const T* b = a + columns;
      T* yr = y + row * columns;
      const auto streamed = streaming.to(opgen::lanes<Acc>, yr);
      opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
        v.prefetch_if_streaming(a);
        v.prefetch_if_streaming(b);
        const auto value = v.load(a);
        v.stream(yr, value / inverse_sigmoid<Acc>(value) * v.load(b));
      });
    }
  });
  return opgen::Status::ok;
}

/// With s = sigmoid(a): da = dy * b * s * (1 + a * (1 - s)),  db = dy * a * s.
template <class T>
opgen::Status silu_and_mul_bwd(const SiluAndMulBwdView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t columns = op.desc.d;
  const int64_t rows = op.desc.batch;
  const T* dy = op.dy.data;  // rows columns
  const T* x = op.x.data;    // rows 2*columns
  T* dx = op.dx.data;        // rows 2*columns

  const int64_t grain = opgen::rows_of_a_thread(2 * columns);
  opgen::parallel(op.ctx, rows, grain, [=](int64_t begin, int64_t end) {
    const opgen::Streaming streaming(rows * 2 * columns * sizeof(T));
    for (int64_t row = begin; row < end; ++row) {
      const T* dyr = dy + row * columns;
      const T* a = x + row * 2 * columns;
      const T* b = a + columns;
      T* da = dx + row * 2 * columns;
      T* db = da + columns;
      const auto streamed = streaming.to(opgen::lanes<Acc>, da, db);
      opgen::each_vector<Acc>(0, columns, streamed, [=](auto v) {
        v.prefetch_if_streaming(dyr);
        v.prefetch_if_streaming(a);
        v.prefetch_if_streaming(b);
        const auto d = v.load(dyr);
        const auto value = v.load(a);
        const auto s = 1 / inverse_sigmoid<Acc>(value);
        const auto ds = d * s;
        v.stream(da, ds * v.load(b) * (1 + value * (1 - s)));
        v.stream(db, ds * value);
      });
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
