#include "kernel_suite.h"
#include "varlen_attention_call.h"

using namespace generated;
using namespace suite;

/// Runs the kernels on three sequences, of which the second is empty. If `paged`, the keys are in
/// blocks. If `all`, all options are on.
static void run(const Shape& shape, ElementType T, bool paged, bool all) {
  const int64_t b = 3, hk = 2, g = all ? 3 : 1, e = all ? 5 : 200, bs = 4, tq = shape.rows;
  const int64_t d = shape.columns < 256 ? shape.columns : 256, tk = tq + 3, mb = tk / bs + 1;
  const int64_t nb = b * mb;
  Made q({tq, hk * g, d}, T, shape.offset);
  Made k(paged ? std::vector<int64_t>{nb, bs, hk, d} : std::vector<int64_t>{tk, hk, d}, T,
         shape.offset);
  Made v(paged ? std::vector<int64_t>{nb, bs, hk, e} : std::vector<int64_t>{tk, hk, e}, T,
         shape.offset);
  Made cu_q({b + 1}, ElementType::I32), cu_k({b + 1}, ElementType::I32);
  Made table({b, mb}, ElementType::I32), alibi({b, hk * g}, ElementType::F32);
  Made seed({}, ElementType::I64), offset({}, ElementType::I64);
  const auto int32s = [](Made& made) { return static_cast<int32_t*>(made.buffer.data); };
  for (int64_t i = 0; i <= b; ++i) {
    int32s(cu_q)[i] = static_cast<int32_t>(i == 0 ? 0 : i == b ? tq : tq / 3);
    int32s(cu_k)[i] = static_cast<int32_t>(i == 0 ? 0 : i == b ? tk : tk / 3);
  }
  for (int64_t i = 0; i < b * mb; ++i) int32s(table)[i] = static_cast<int32_t>(i * 7 % nb);
  *static_cast<int64_t*>(seed.buffer.data) = 5;
  *static_cast<int64_t*>(offset.buffer.data) = 7;
  const opgen::Buffer none{};
  const int64_t window[] = {all ? 40 : -1, all ? 2 : -1};
  const opgen::Sizes seen(window, 2);
  const double dropout = all ? 0.25 : 0.0;
  const opgen::Buffer blocks = paged ? table.buffer : none,
                      slopes = all ? alibi.fill(3).buffer : none;
  const opgen::Buffer key = all ? seed.buffer : none, stream = all ? offset.buffer : none;
  const VarlenAttentionCall call(q.fill(1).buffer, k.fill(2).buffer, v.fill(4).buffer, cu_q.buffer,
                                 cu_k.buffer, blocks, slopes, key, stream, tq, tk, 0.125, !all,
                                 seen, dropout);
  Made out(call.out_()), lse(call.lse_());
  const VarlenAttentionDescriptor desc = call.descriptor();
  const VarlenAttentionArgs args{&desc,    &context, out.buffer,  lse.buffer,  q.buffer,
                                 k.buffer, v.buffer, cu_q.buffer, cu_k.buffer, blocks,
                                 slopes,   key,      stream};
  show("varlen_attention", generated_varlen_attention_cpu(&args), {&out, &lse});
  if (paged) return;

  Made dout({tq, hk * g, e}, T, shape.offset);
  const VarlenAttentionBwdCall back(dout.fill(6).buffer, q.buffer, k.buffer, v.buffer, out.buffer,
                                    lse.buffer, cu_q.buffer, cu_k.buffer, slopes, key, stream, tq,
                                    tk, 0.125, !all, seen, dropout);
  Made dq(back.dq_()), dk(back.dk_()), dv(back.dv_());
  const bool half = T == ElementType::BF16 || T == ElementType::F16;
  Made sums(half ? std::vector<int64_t>{tk, hk, d + e} : std::vector<int64_t>{0}, ElementType::F32);
  const VarlenAttentionBwdDescriptor told = back.descriptor();
  const VarlenAttentionBwdArgs given{&told,       &context,    dq.buffer,   dk.buffer,   dv.buffer,
                                     sums.buffer, dout.buffer, q.buffer,    k.buffer,    v.buffer,
                                     out.buffer,  lse.buffer,  cu_q.buffer, cu_k.buffer, slopes,
                                     key,         stream};
  show("varlen_attention_bwd", generated_varlen_attention_bwd_cpu(&given), {&dq, &dk, &dv});
}

static const Family family("varlen_attention", [](const Shape& shape) {
  for (ElementType T : floats) {
    run(shape, T, false, false);
    run(shape, T, false, true);
    run(shape, T, true, true);
  }
});
