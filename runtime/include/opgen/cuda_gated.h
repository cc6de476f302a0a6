// `f(a) * b` for an activation f of opgen/cuda_activations.h, and its gradients, on CUDA.
#pragma once

#include <cstdint>

#include "opgen/cuda_rows.h"
#include "opgen/element_type.h"

namespace opgen::cuda {

/// The memory layout of a and b: `count` rows of `columns` elements. Rows of a, and rows of b,
/// start `step` elements apart. Rows of a result start `columns` elements apart.
struct GatedRows {
  int64_t count, columns, step;

  /// a and b are the halves of each row of one tensor.
  static GatedRows halves(int64_t rows, int64_t columns) { return {rows, columns, 2 * columns}; }

  /// a and b are separate tensors, seen as one row that blocks share.
  static GatedRows pairs(int64_t n) { return {n > 0, n, n}; }
};

template <class F, class T, int width>
__global__ void gated_rows(GatedRows rows, const T* a, const T* b, T* y) {
  using Acc = accum_t<T>;
  each_row(rows.count, [&](int64_t row) {
    each_pack<0>(row < rows.count ? rows.columns / width : 0, [&](int, int64_t at) {
      const Pack<T, width> as = load<width>(a + row * rows.step, at);
      const Pack<T, width> bs = load<width>(b + row * rows.step, at);
      Pack<T, width> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        ys.items[i] = F(static_cast<Acc>(as.items[i])).value() * static_cast<Acc>(bs.items[i]);
      }
      store(y + row * rows.columns, at, ys);
    });
  });
}

template <class F, class T, int width>
__global__ void gated_bwd_rows(GatedRows rows, const T* dy, const T* a, const T* b, T* da, T* db) {
  using Acc = accum_t<T>;
  each_row(rows.count, [&](int64_t row) {
    each_pack<0>(row < rows.count ? rows.columns / width : 0, [&](int, int64_t at) {
      const Pack<T, width> dys = load<width>(dy + row * rows.columns, at);
      const Pack<T, width> as = load<width>(a + row * rows.step, at);
      const Pack<T, width> bs = load<width>(b + row * rows.step, at);
      Pack<T, width> das, dbs;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const F f(static_cast<Acc>(as.items[i]));
        const Acc gradient = static_cast<Acc>(dys.items[i]);
        das.items[i] = gradient * static_cast<Acc>(bs.items[i]) * f.slope();
        dbs.items[i] = gradient * f.value();
      }
      store(da + row * rows.step, at, das);
      store(db + row * rows.step, at, dbs);
    });
  });
}

/// Starts y = f(a) * b, where `F` is f.
template <class F, class T>
Status gated(const Context& ctx, GatedRows rows, const T* a, const T* b, T* y) noexcept {
  return by_columns(rows.columns, [&](auto path) {
    return launch(ctx, gated_rows<F, T, decltype(path)::width>,
                  path.cut_grid(rows.count, rows.columns), path.block, rows, a, b, y);
  }, a, b, y);
}

/// Starts da = dy * b * f'(a), db = dy * f(a). da and db have the memory layout of a and b.
template <class F, class T>
Status gated_bwd(const Context& ctx, GatedRows rows, const T* dy, const T* a, const T* b, T* da,
                 T* db) noexcept {
  return by_columns(rows.columns, [&](auto path) {
    return launch(ctx, gated_bwd_rows<F, T, decltype(path)::width>,
                  path.cut_grid(rows.count, rows.columns), path.block, rows, dy, a, b, da, db);
  }, dy, a, b, da, db);
}

}  // namespace opgen::cuda
