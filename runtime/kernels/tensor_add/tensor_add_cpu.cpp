// The sum of two matrices on the CPU, one program for each 128x512 tile.
#include "tensor_add.h"

#include <algorithm>

namespace generated::cpu {

/// c = a + b over `n` elements. Not inlined: GCC vectorises it only out of the loop over rows.
template <class T>
__attribute__((noinline)) void add(const T* a, const T* b, T* c, int64_t n) {
  using Acc = opgen::accum_t<T>;
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) c[i] = static_cast<Acc>(a[i]) + static_cast<Acc>(b[i]);
}

template <class T>
opgen::Status tensor_add(const TensorAddView<T>& op) noexcept {
  const int64_t m = op.desc.m;
  const int64_t n = op.desc.n;
  const int64_t top = op.ctx.program[0] * 128;
  const int64_t left = op.ctx.program[1] * 512;
  const int64_t width = std::min<int64_t>(512, n - left);
  for (int64_t i = top; i < std::min(m, top + 128); ++i) {
    const int64_t at = i * n + left;
    add(op.a.data + at, op.b.data + at, op.c.data + at, width);
  }
  return opgen::Status::ok;
}

}  // namespace generated::cpu
