// The varlen_attention family in PyTorch, through its stable ABI.
// Rendered by opgen from varlen_attention.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "varlen_attention_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const VarlenAttentionArgs*) noexcept>
std::tuple<Owned, OptionalOwned> varlen_attention_(
    Tensor q_in, Tensor k_in, Tensor v_in, Tensor cu_q_in, Tensor cu_k_in,
    std::optional<Tensor> block_table_in, std::optional<Tensor> alibi_in,
    std::optional<Tensor> seed_in, std::optional<Tensor> offset_in, std::optional<int64_t> max_q_in,
    std::optional<int64_t> max_k_in, std::optional<double> scale_in, bool causal_in,
    opgen::torch::List<int64_t> window_in, double dropout_in, int64_t wanted) {
  const char* op = "varlen_attention";
  const opgen::torch::Input q_(op, "q", q_in);
  const opgen::torch::Input k_(op, "k", k_in);
  const opgen::torch::Input v_(op, "v", v_in);
  const opgen::torch::Input cu_q_(op, "cu_q", cu_q_in);
  const opgen::torch::Input cu_k_(op, "cu_k", cu_k_in);
  const opgen::torch::Input block_table_(op, "block_table", block_table_in);
  const opgen::torch::Input alibi_(op, "alibi", alibi_in);
  const opgen::torch::Input seed_(op, "seed", seed_in);
  const opgen::torch::Input offset_(op, "offset", offset_in);
  const auto device = opgen::torch::device_of(
      op, {&q_, &k_, &v_, &cu_q_, &cu_k_, &block_table_, &alibi_, &seed_, &offset_});
  const VarlenAttentionCall call(q_.buffer, k_.buffer, v_.buffer, cu_q_.buffer, cu_k_.buffer,
                                 block_table_.buffer, alibi_.buffer, seed_.buffer, offset_.buffer,
                                 max_q_in, max_k_in, scale_in, causal_in,
                                 opgen::torch::sizes(window_in), dropout_in, wanted);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output out_(call.out_(), device);
  auto lse_ = call.lse_present() ? Output(call.lse_(), device) : Output();
  const VarlenAttentionDescriptor desc = call.descriptor();
  const VarlenAttentionArgs args{&desc, &ctx, out_.buffer, lse_.buffer, q_.buffer, k_.buffer,
                                 v_.buffer, cu_q_.buffer, cu_k_.buffer, block_table_.buffer,
                                 alibi_.buffer, seed_.buffer, offset_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {out_.tensor(), lse_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const VarlenAttentionBwdArgs*) noexcept,
          opgen::WorkspaceOf<VarlenAttentionBwdDescriptor>* workspace>
std::tuple<Owned, Owned, Owned> varlen_attention_bwd_(
    Tensor dout_in, Tensor q_in, Tensor k_in, Tensor v_in, Tensor out_in, Tensor lse_in,
    Tensor cu_q_in, Tensor cu_k_in, std::optional<Tensor> alibi_in, std::optional<Tensor> seed_in,
    std::optional<Tensor> offset_in, int64_t max_q_in, int64_t max_k_in, double scale_in,
    bool causal_in, opgen::torch::List<int64_t> window_in, double dropout_in) {
  const char* op = "varlen_attention_bwd";
  const opgen::torch::Input dout_(op, "dout", dout_in);
  const opgen::torch::Input q_(op, "q", q_in);
  const opgen::torch::Input k_(op, "k", k_in);
  const opgen::torch::Input v_(op, "v", v_in);
  const opgen::torch::Input out_(op, "out", out_in);
  const opgen::torch::Input lse_(op, "lse", lse_in);
  const opgen::torch::Input cu_q_(op, "cu_q", cu_q_in);
  const opgen::torch::Input cu_k_(op, "cu_k", cu_k_in);
  const opgen::torch::Input alibi_(op, "alibi", alibi_in);
  const opgen::torch::Input seed_(op, "seed", seed_in);
  const opgen::torch::Input offset_(op, "offset", offset_in);
  const auto device = opgen::torch::device_of(
      op, {&dout_, &q_, &k_, &v_, &out_, &lse_, &cu_q_, &cu_k_, &alibi_, &seed_, &offset_});
  const VarlenAttentionBwdCall call(dout_.buffer, q_.buffer, k_.buffer, v_.buffer, out_.buffer,
                                    lse_.buffer, cu_q_.buffer, cu_k_.buffer, alibi_.buffer,
                                    seed_.buffer, offset_.buffer, max_q_in, max_k_in, scale_in,
                                    causal_in, opgen::torch::sizes(window_in), dropout_in);
  Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output dq_(call.dq_(), device);
  Output dk_(call.dk_(), device);
  Output dv_(call.dv_(), device);
  const auto sums_ = call.sums_present() ? Output(call.sums_(), device) : Output();
  const VarlenAttentionBwdDescriptor desc = call.descriptor();
  const int64_t bytes = workspace == nullptr ? 0 : workspace(&desc, ctx.properties());
  const Output memory(opgen::scratch(op, bytes), device);
  ctx.use(memory.buffer);
  const VarlenAttentionBwdArgs args{&desc, &ctx, dq_.buffer, dk_.buffer, dv_.buffer, sums_.buffer,
                                    dout_.buffer, q_.buffer, k_.buffer, v_.buffer, out_.buffer,
                                    lse_.buffer, cu_q_.buffer, cu_k_.buffer, alibi_.buffer,
                                    seed_.buffer, offset_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dq_.tensor(), dk_.tensor(), dv_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("varlen_attention(Tensor q, Tensor k, Tensor v, Tensor cu_q, Tensor cu_k, Tensor\? block_table=None, Tensor\? alibi=None, Tensor\? seed=None, Tensor\? offset=None, SymInt\? max_q=None, SymInt\? max_k=None, float\? scale=None, bool causal=False, SymInt[] window=[-1, -1], float dropout=0.0, int wanted=-1) -> (Tensor out, Tensor\? lse)");
  m.def("varlen_attention_bwd(Tensor dout, Tensor q, Tensor k, Tensor v, Tensor out, Tensor lse, Tensor cu_q, Tensor cu_k, Tensor\? alibi, Tensor\? seed, Tensor\? offset, SymInt max_q, SymInt max_k, float scale, bool causal, SymInt[] window, float dropout) -> (Tensor dq, Tensor dk, Tensor dv)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["varlen_attention"] = 0x06917629c221;
  hashes["varlen_attention_bwd"] = 0xf3ef6ae93103;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "varlen_attention",
            ways<&varlen_attention_<CpuContext, generated_varlen_attention_cpu>>);
  implement(m, CpuContext::platform, "varlen_attention_bwd",
            ways<&varlen_attention_bwd_<CpuContext, generated_varlen_attention_bwd_cpu, nullptr>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "varlen_attention",
            ways<&varlen_attention_<CudaContext, generated_varlen_attention_cuda>>);
  implement(m, CudaContext::platform, "varlen_attention_bwd",
            ways<&varlen_attention_bwd_<CudaContext, generated_varlen_attention_bwd_cuda,
                                        generated_varlen_attention_bwd_cuda_workspace>>);
}
#endif
#endif
