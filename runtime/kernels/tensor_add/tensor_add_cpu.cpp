// The sum of two matrices on the CPU, one program for every 65536 elements.
#include "tensor_add.h"

#include <algorithm>

#include "opgen/rows.h"

namespace generated::cpu {

template <class T>
opgen::Status tensor_add(const TensorAddView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  constexpr int64_t piece = 128 * 512;
  const int64_t n = op.desc.m * op.desc.n;
  const T* a = op.a.data;  // m n
  const T* b = op.b.data;  // m n
  T* c = op.c.data;        // m n
  const int64_t begin = op.ctx.program[0] * piece;
  const int64_t end = std::min(n, begin + piece);
  const opgen::Streaming streaming(n * sizeof(T));
  const auto streamed = streaming.to(opgen::lanes<Acc>, c + begin);
  opgen::each_vector<Acc>(begin, end, streamed, [=](auto v) {
    v.prefetch_if_streaming(a);
    v.prefetch_if_streaming(b);
    v.stream(c, v.load(a) + v.load(b));
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
