// silu(a) * b, with a and b the halves of each row of x, and its gradient on the CPU.
//
// Shazeer, GLU Variants Improve Transformer, 2020: SwiGLU without its matrices.
#include "silu_and_mul.h"

#include <limits>

#include "opgen/rows.h"

namespace generated::cpu {

/// silu and its derivative, of every lane, accurate from the smallest numbers to the largest.
template <class Acc>
class Silu {
  using Vector = opgen::Vector<Acc>;
  // sigmoid(a) is made larger by 2^shift until it has been multiplied: it may be subnormal where
  // the product is not.
  static constexpr int shift = sizeof(Acc) == 4 ? 32 : 64;
  static constexpr Acc scale = sizeof(Acc) == 4 ? 0x1p-32 : 0x1p-64;
  // From there on sigmoid(a) is 1 to any accuracy.
  static constexpr Acc enough = 64;
  // e^most 2^-shift is infinite. So sigmoid(a) gets 0, whose product with an infinite `a` is a NaN.
  static constexpr Acc most = (std::numeric_limits<Acc>::max_exponent + shift) * 0.693147180559945;

  Vector a, near, sigmoid;

 public:
  explicit Silu(Vector a) : a(a), near(opgen::at_most<Acc>(a, enough)) {
    sigmoid = 1 / (scale + opgen::scaled_exp<-shift, Acc>(opgen::at_most<Acc>(-near, most)));
  }

  /// a sigmoid(a). What `a` has above `near` is added, for the product would overflow; the
  /// difference is that way round for the sign of a zero.
  Vector value() const {
    return opgen::multiply_add<Acc>(near * sigmoid, Vector{} + scale, -(near - a));
  }

  /// sigmoid(a) (1 + a (1 - sigmoid(a))).
  Vector slope() const { return sigmoid * (1 + a * (1 - sigmoid * scale)) * scale; }
};

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
        v.stream(yr, Silu<Acc>(v.load(a)).value() * v.load(b));
      });
    }
  });
  return opgen::Status::ok;
}

/// da = dy * b * silu'(a),  db = dy * silu(a).
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
        const Silu<Acc> silu(v.load(a));
        v.stream(da, d * v.load(b) * silu.slope());
        v.stream(db, d * silu.value());
      });
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
