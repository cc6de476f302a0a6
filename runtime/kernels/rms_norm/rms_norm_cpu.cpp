// Root-mean-square normalization and its gradient on the CPU.
//
// Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. A row is one
// element of *batch, its columns are *norm. Sums are taken in Acc: f32 for 16-bit types.
// Same input, same bits: no sum depends on the number of threads.
#include "rms_norm.h"

#include <algorithm>
#include <cmath>

namespace generated::cpu {

/// Rows that are worth a thread of their own.
inline int64_t grain_of(int64_t columns) { return 1 + 32768 / (columns + 1); }

template <class T, class W>
opgen::Status rms_norm(const RmsNormView<T, W>& op) noexcept {
  using Acc = typename RmsNormView<T, W>::Acc;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t rows = op.desc.n1;
  const int64_t columns = op.desc.n2;
  const Acc eps = static_cast<Acc>(op.desc.eps);
  const T* x = op.x.data;            // rows columns
  const W* weight = op.weight.data;  // columns
  W* y = op.y.data;                  // rows columns
  Acc* invvar = op.invvar.data;      // rows

  opgen::parallel(op.ctx, rows, grain_of(columns), [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* xr = x + row * columns;
      W* yr = y + row * columns;
      Acc squares = 0;
#pragma omp simd reduction(+ : squares)
      for (int64_t j = 0; j < columns; ++j) {
        const Acc value = static_cast<Acc>(xr[j]);
        squares += value * value;
      }
      const Acc scale = 1 / std::sqrt(squares / static_cast<Acc>(columns) + eps);
      invvar[row] = scale;
#pragma omp simd
      for (int64_t j = 0; j < columns; ++j) {
        const Acc normal = static_cast<Acc>(xr[j]) * scale;
        yr[j] = static_cast<Wide>(normal) * static_cast<Wide>(weight[j]);
      }
    }
  });
  return opgen::Status::ok;
}

/// With h = x * invvar and g = dy * weight:
///   dx = invvar * (g - h * mean(g * h)),  dweight = sum over rows of dy * h.
/// The rows are cut into at most 16 blocks of equal height. Each block sums its part of dweight in
/// a row of part_grad; the rows of part_grad are then added in order.
template <class T, class W>
opgen::Status rms_norm_bwd(const RmsNormBwdView<T, W>& op) noexcept {
  using Acc = typename RmsNormBwdView<T, W>::Acc;
  using Sum = typename RmsNormBwdView<T, W>::Sum;
  using Wide = opgen::promote_t<Acc, opgen::accum_t<W>>;
  const int64_t rows = op.desc.n1;
  const int64_t columns = op.desc.n2;
  const W* dy = op.dy.data;              // rows columns
  const Acc* invvar = op.invvar.data;    // rows
  const T* x = op.x.data;                // rows columns
  const W* weight = op.weight.data;      // columns
  T* dx = op.dx.data;                    // rows columns
  Sum* dweight = op.dweight.data;        // columns
  Acc* part_grad = op.part_grad.data;    // 16 columns

  const int64_t height = std::max<int64_t>(1, (rows + 15) / 16);
  const int64_t blocks = (rows + height - 1) / height;
  const int64_t grain = 1 + 32768 / (height * columns + 1);
  opgen::parallel(op.ctx, blocks, grain, [=](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      Acc* part = part_grad + block * columns;
      std::fill(part, part + columns, Acc(0));
      for (int64_t row = block * height; row < std::min(rows, (block + 1) * height); ++row) {
        const T* xr = x + row * columns;
        const W* dyr = dy + row * columns;
        T* dxr = dx + row * columns;
        const Acc scale = invvar[row];
        Wide products = 0;
#pragma omp simd reduction(+ : products)
        for (int64_t j = 0; j < columns; ++j) {
          const Wide h = static_cast<Acc>(xr[j]) * scale;
          products += static_cast<Wide>(dyr[j]) * static_cast<Wide>(weight[j]) * h;
        }
        const Wide mean = products / static_cast<Wide>(columns);
#pragma omp simd
        for (int64_t j = 0; j < columns; ++j) {
          const Wide h = static_cast<Acc>(xr[j]) * scale;
          const Wide d = static_cast<Wide>(dyr[j]);
          part[j] += d * h;
          dxr[j] = static_cast<Wide>(scale) * (d * static_cast<Wide>(weight[j]) - h * mean);
        }
      }
    }
  });

  opgen::parallel(op.ctx, columns, 8192, [=](int64_t begin, int64_t end) {
    std::fill(dweight + begin, dweight + end, Sum(0));
    for (int64_t block = 0; block < blocks; ++block) {
      const Acc* part = part_grad + block * columns;
#pragma omp simd
      for (int64_t j = begin; j < end; ++j) dweight[j] += static_cast<Sum>(part[j]);
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
