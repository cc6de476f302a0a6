// silu(a) * b of the halves of each row, and its gradient, on CUDA.
//
// Shazeer, GLU Variants Improve Transformer, 2020: SwiGLU without its matrices. Computed in f32
// (f64 for f64).
#include "silu_and_mul.h"

#include "opgen/cuda_rows.h"

namespace generated::cuda {

using opgen::cuda::Pack;

/// silu and its derivative, accurate from the smallest numbers to the largest: where sigmoid(a) may
/// be subnormal, it is two factors e^(a/2), with the product by `a` between them. -inf gives a NaN.
template <class A>
struct Silu {
  A a, factor, rest;  // sigmoid(a) = factor rest factor

  __device__ explicit Silu(A a) : a(a) {
    const A root = std::exp(a < 0 ? a / 2 : -a / 2);
    factor = a < 0 ? root : A(1);
    rest = 1 / (1 + root * root);
  }

  /// a sigmoid(a).
  __device__ A value() const { return a * rest * factor * factor; }

  /// sigmoid(a) (1 + a (1 - sigmoid(a))).
  __device__ A slope() const {
    return (1 + a * (1 - factor * rest * factor)) * rest * factor * factor;
  }
};

template <class T, int width>
__global__ void silu_and_mul_rows(int64_t rows, int64_t d,
                                  const T* x,  // rows 2*d
                                  T* y) {      // rows d
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const T* xr = x + row * 2 * d;
    opgen::cuda::each_pack<0>(row < rows ? d / width : 0, [&](int, int64_t at) {
      const Pack<T, width> as = opgen::cuda::load<width>(xr, at);
      const Pack<T, width> bs = opgen::cuda::load<width>(xr + d, at);
      Pack<T, width> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Silu<Acc> silu(static_cast<Acc>(as.items[i]));
        ys.items[i] = silu.value() * static_cast<Acc>(bs.items[i]);
      }
      opgen::cuda::store(y + row * d, at, ys);
    });
  });
}

/// da = dy * b * silu'(a), db = dy * silu(a).
template <class T, int width>
__global__ void silu_and_mul_bwd_rows(int64_t rows, int64_t d,
                                      const T* dy,  // rows d
                                      const T* x,   // rows 2*d
                                      T* dx) {      // rows 2*d
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const T* xr = x + row * 2 * d;
    T* dxr = dx + row * 2 * d;
    opgen::cuda::each_pack<0>(row < rows ? d / width : 0, [&](int, int64_t at) {
      const Pack<T, width> dys = opgen::cuda::load<width>(dy + row * d, at);
      const Pack<T, width> as = opgen::cuda::load<width>(xr, at);
      const Pack<T, width> bs = opgen::cuda::load<width>(xr + d, at);
      Pack<T, width> das, dbs;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Silu<Acc> silu(static_cast<Acc>(as.items[i]));
        const Acc gradient = static_cast<Acc>(dys.items[i]);
        das.items[i] = gradient * static_cast<Acc>(bs.items[i]) * silu.slope();
        dbs.items[i] = gradient * silu.value();
      }
      opgen::cuda::store(dxr, at, das);
      opgen::cuda::store(dxr + d, at, dbs);
    });
  });
}

template <class T>
opgen::Status silu_and_mul(const SiluAndMulView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, d = op.desc.d;
  return opgen::cuda::by_columns(d, [&](auto path) {
    return opgen::cuda::launch(op.ctx, silu_and_mul_rows<T, decltype(path)::width>,
                               path.cut_grid(rows, d), path.block, rows, d, op.x.data, op.y.data);
  }, op.x.data, op.y.data);
}

template <class T>
opgen::Status silu_and_mul_bwd(const SiluAndMulBwdView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, d = op.desc.d;
  return opgen::cuda::by_columns(d, [&](auto path) {
    return opgen::cuda::launch(op.ctx, silu_and_mul_bwd_rows<T, decltype(path)::width>,
                               path.cut_grid(rows, d), path.block, rows, d, op.dy.data, op.x.data,
                               op.dx.data);
  }, op.dy.data, op.x.data, op.dx.data);
}

}  // namespace generated::cuda
