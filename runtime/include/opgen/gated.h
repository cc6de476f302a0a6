// `f(a) * b` for an activation f, and its gradients, on the CPU. Each element is computed
// independently, so the bits do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opgen/rows.h"

namespace opgen {

/// The memory layout of `n` pairs of elements of a and b, in rows of `columns` elements. The last
/// row may be shorter. Rows of a, and rows of b, start `step` elements apart. Rows of a result
/// start `columns` elements apart.
struct GatedRows {
  int64_t n, columns, step;

  /// a and b are the halves of each row of one tensor.
  static GatedRows halves(int64_t rows, int64_t columns) noexcept {
    return {rows * columns, columns, 2 * columns};
  }

  /// a and b are separate tensors.
  static GatedRows pairs(int64_t n) noexcept { return {n, 4096, 4096}; }

  int64_t count() const noexcept { return n == 0 ? 0 : (n + columns - 1) / columns; }
  int64_t columns_of(int64_t row) const noexcept { return std::min(columns, n - row * columns); }
};

/// y = f(a) * b. `F` computes f for each element of a vector, as in opgen/activations.h.
template <class F, class Acc, class T>
void gated(const Context& ctx, const GatedRows& rows, const T* a, const T* b, T* y) noexcept {
  const int64_t grain = rows_of_a_thread(rows.columns);
  parallel(ctx, rows.count(), grain, [=](int64_t begin, int64_t end) {
    const Streaming streaming(rows.n * static_cast<int64_t>(sizeof(T)));
    for (int64_t row = begin; row < end; ++row) {
      const T* ar = a + row * rows.step;
      const T* br = b + row * rows.step;
      T* yr = y + row * rows.columns;
      const auto streamed = streaming.to(lanes<Acc>, yr);
      each_vector<Acc>(0, rows.columns_of(row), streamed, [=](auto v) {
        v.prefetch_if_streaming(ar);
        v.prefetch_if_streaming(br);
        v.stream(yr, F(v.load(ar)).value() * v.load(br));
      });
    }
  });
}

/// da = dy * b * f'(a), db = dy * f(a). da and db have the memory layout of a and b.
template <class F, class Acc, class T>
void gated_bwd(const Context& ctx, const GatedRows& rows, const T* dy, const T* a, const T* b,
               T* da, T* db) noexcept {
  const int64_t grain = rows_of_a_thread(2 * rows.columns);
  parallel(ctx, rows.count(), grain, [=](int64_t begin, int64_t end) {
    const Streaming streaming(2 * rows.n * static_cast<int64_t>(sizeof(T)));
    for (int64_t row = begin; row < end; ++row) {
      const T* dyr = dy + row * rows.columns;
      const T* ar = a + row * rows.step;
      const T* br = b + row * rows.step;
      T* dar = da + row * rows.step;
      T* dbr = db + row * rows.step;
      const auto streamed = streaming.to(lanes<Acc>, dar, dbr);
      each_vector<Acc>(0, rows.columns_of(row), streamed, [=](auto v) {
        v.prefetch_if_streaming(dyr);
        v.prefetch_if_streaming(ar);
        v.prefetch_if_streaming(br);
        const auto d = v.load(dyr);
        const F f(v.load(ar));
        v.stream(dar, d * v.load(br) * f.slope());
        v.stream(dbr, d * f.value());
      });
    }
  });
}

}  // namespace opgen
