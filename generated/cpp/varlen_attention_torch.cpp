// The varlen_attention family in PyTorch, through its stable ABI.
// Rendered by opgen from varlen_attention.toml.
#include "opgen/torch.h"

#include "varlen_attention_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const VarlenAttentionArgs*) noexcept>
std::tuple<Owned, Owned> varlen_attention(
    Tensor q_, Tensor k_, Tensor v_, Tensor cu_q_, Tensor cu_k_, std::optional<Tensor> block_table_,
    std::optional<Tensor> alibi_, std::optional<Tensor> seed_, std::optional<Tensor> offset_,
    int64_t max_q_, int64_t max_k_, std::optional<double> scale_, bool causal_,
    opgen::torch::List<int64_t> window_, double dropout_, int64_t wanted_) {
  const char* op = "varlen_attention";
  const opgen::torch::Input q(op, "q", q_);
  const opgen::torch::Input k(op, "k", k_);
  const opgen::torch::Input v(op, "v", v_);
  const opgen::torch::Input cu_q(op, "cu_q", cu_q_);
  const opgen::torch::Input cu_k(op, "cu_k", cu_k_);
  const opgen::torch::Input block_table(op, "block_table", block_table_);
  const opgen::torch::Input alibi(op, "alibi", alibi_);
  const opgen::torch::Input seed(op, "seed", seed_);
  const opgen::torch::Input offset(op, "offset", offset_);
  const auto device = opgen::torch::device_of(
      op, {&q, &k, &v, &cu_q, &cu_k, &block_table, &alibi, &seed, &offset});
  const VarlenAttentionCall call(q.buffer, k.buffer, v.buffer, cu_q.buffer, cu_k.buffer,
                                 block_table.buffer, alibi.buffer, seed.buffer, offset.buffer,
                                 max_q_, max_k_, scale_, causal_, opgen::torch::sizes(window_),
                                 dropout_, wanted_);
  const Context ctx(device);
  Output out(call.out(), device);
  auto lse = call.has_lse() ? Output(call.lse(), device) : Output();
  const VarlenAttentionDescriptor desc = call.descriptor();
  const VarlenAttentionArgs args{&desc, &ctx, out.buffer, lse.buffer, q.buffer, k.buffer, v.buffer,
                                 cu_q.buffer, cu_k.buffer, block_table.buffer, alibi.buffer,
                                 seed.buffer, offset.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {out.tensor(), lse.tensor()};
}

template <class Context, opgen::Status (*kernel)(const VarlenAttentionBwdArgs*) noexcept>
std::tuple<Owned, Owned, Owned> varlen_attention_bwd(
    Tensor dout_, Tensor q_, Tensor k_, Tensor v_, Tensor out_, Tensor lse_, Tensor cu_q_,
    Tensor cu_k_, std::optional<Tensor> alibi_, std::optional<Tensor> seed_,
    std::optional<Tensor> offset_, int64_t max_q_, int64_t max_k_, double scale_, bool causal_,
    opgen::torch::List<int64_t> window_, double dropout_) {
  const char* op = "varlen_attention_bwd";
  const opgen::torch::Input dout(op, "dout", dout_);
  const opgen::torch::Input q(op, "q", q_);
  const opgen::torch::Input k(op, "k", k_);
  const opgen::torch::Input v(op, "v", v_);
  const opgen::torch::Input out(op, "out", out_);
  const opgen::torch::Input lse(op, "lse", lse_);
  const opgen::torch::Input cu_q(op, "cu_q", cu_q_);
  const opgen::torch::Input cu_k(op, "cu_k", cu_k_);
  const opgen::torch::Input alibi(op, "alibi", alibi_);
  const opgen::torch::Input seed(op, "seed", seed_);
  const opgen::torch::Input offset(op, "offset", offset_);
  const auto device = opgen::torch::device_of(
      op, {&dout, &q, &k, &v, &out, &lse, &cu_q, &cu_k, &alibi, &seed, &offset});
  const VarlenAttentionBwdCall call(dout.buffer, q.buffer, k.buffer, v.buffer, out.buffer,
                                    lse.buffer, cu_q.buffer, cu_k.buffer, alibi.buffer, seed.buffer,
                                    offset.buffer, max_q_, max_k_, scale_, causal_,
                                    opgen::torch::sizes(window_), dropout_);
  const Context ctx(device);
  Output dq(call.dq(), device);
  Output dk(call.dk(), device);
  Output dv(call.dv(), device);
  const Output delta(call.delta(), device);
  const Output dq_acc(call.dq_acc(), device);
  const VarlenAttentionBwdDescriptor desc = call.descriptor();
  const VarlenAttentionBwdArgs args{&desc, &ctx, dq.buffer, dk.buffer, dv.buffer, delta.buffer,
                                    dq_acc.buffer, dout.buffer, q.buffer, k.buffer, v.buffer,
                                    out.buffer, lse.buffer, cu_q.buffer, cu_k.buffer, alibi.buffer,
                                    seed.buffer, offset.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dq.tensor(), dk.tensor(), dv.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("varlen_attention(Tensor q, Tensor k, Tensor v, Tensor cu_q, Tensor cu_k, Tensor\? block_table, Tensor\? alibi, Tensor\? seed, Tensor\? offset, int max_q, int max_k, float\? scale=None, bool causal=False, int[] window=[-1, -1], float dropout=0.0, int wanted=-1) -> (Tensor out, Tensor lse)");
  m.def("varlen_attention_bwd(Tensor dout, Tensor q, Tensor k, Tensor v, Tensor out, Tensor lse, Tensor cu_q, Tensor cu_k, Tensor\? alibi, Tensor\? seed, Tensor\? offset, int max_q, int max_k, float scale, bool causal, int[] window, float dropout) -> (Tensor dq, Tensor dk, Tensor dv)");
}
