// The sum of two matrices on the CPU, one program for each 128x512 tile.
#include "tensor_add.h"

#include <algorithm>

namespace generated::cpu {

template <class T>
opgen::Status tensor_add(const TensorAddView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t m = op.desc.m;
  const int64_t n = op.desc.n;
  const T* a = op.a.data;  // m n
  const T* b = op.b.data;  // m n
  T* c = op.c.data;        // m n
  const int64_t top = op.ctx.program[0] * 128;
  const int64_t left = op.ctx.program[1] * 512;
  const int64_t right = std::min(n, left + 512);
  for (int64_t i = top; i < std::min(m, top + 128); ++i) {
#pragma omp simd
    for (int64_t j = left; j < right; ++j) {
      const int64_t at = i * n + j;
      c[at] = static_cast<T>(static_cast<Acc>(a[at]) + static_cast<Acc>(b[at]));
    }
  }
  return opgen::Status::ok;
}

}  // namespace generated::cpu
