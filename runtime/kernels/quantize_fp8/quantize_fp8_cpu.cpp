// Quantises numbers to fp8, with one scale for each block of a row, on the CPU.
//
// Micikevicius et al., FP8 Formats for Deep Learning, 2022: scale = max(|x|, floor) / limit, so
// that nothing overflows. A NaN in a block makes the whole block NaN.
#include "quantize_fp8.h"

#include "opgen/float8_narrow.h"
#include "opgen/rows.h"

namespace generated::cpu {

template <class T, class Q>
opgen::Status quantize_fp8(const QuantizeFp8View<T, Q>& op) noexcept {
  using Vector = opgen::Vector<float>;
  const int64_t columns = op.desc.block, blocks = op.desc.kb;
  const float limit = opgen::Float8<Q>::limit;
  const float floor = static_cast<float>(op.desc.floor);
  const T* x = op.x.data;  // m*kb columns
  Q* q = op.q.data;        // m*kb columns

  const int64_t grain = opgen::rows_of_a_thread(columns);
  opgen::parallel(op.ctx, op.desc.m * blocks, grain, [=, &op](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const T* from = x + block * columns;
      Q* to = q + block * columns;
      const float most = opgen::greatest<float>(columns, [=](auto v) {
        const Vector value = v.load(from);
        return value < 0 ? -value : value;
      });
      const float scale = (most < floor ? floor : most) / limit;
      op.scale.data[block / blocks * op.scale.stride(0) + block % blocks * op.scale.stride(1)] =
          scale;
      opgen::each_vector<float>(0, columns, opgen::Streamed{}, [=](auto v) {
        v.store(to, opgen::clamp<float>(v.load(from) / scale, -limit, limit));
      });
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
