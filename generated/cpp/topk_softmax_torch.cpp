// The topk_softmax family in PyTorch, through its stable ABI.
// Rendered by opgen from topk_softmax.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "topk_softmax_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const TopkSoftmaxArgs*) noexcept>
std::tuple<Owned, Owned, Owned, Owned> topk_softmax_(Tensor logits_in, int64_t k_in,
                                                     bool renormalize_in) {
  const char* op = "topk_softmax";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const auto device = opgen::torch::device_of(op, {&logits_});
  const TopkSoftmaxCall call(logits_.buffer, k_in, renormalize_in);
  const Context ctx(device);
  Output weights_(call.weights_(), device);
  Output ids_(call.ids_(), device);
  Output top_(call.top_(), device);
  Output total_(call.total_(), device);
  const TopkSoftmaxDescriptor desc = call.descriptor();
  const TopkSoftmaxArgs args{&desc, &ctx, weights_.buffer, ids_.buffer, top_.buffer, total_.buffer,
                             logits_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {weights_.tensor(), ids_.tensor(), top_.tensor(), total_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const TopkSoftmaxBwdArgs*) noexcept>
Owned topk_softmax_bwd_(Tensor dweights_in, Tensor logits_in, Tensor weights_in, Tensor ids_in,
                        Tensor top_in, Tensor total_in, int64_t k_in, bool renormalize_in) {
  const char* op = "topk_softmax_bwd";
  const opgen::torch::Input dweights_(op, "dweights", dweights_in);
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input weights_(op, "weights", weights_in);
  const opgen::torch::Input ids_(op, "ids", ids_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input total_(op, "total", total_in);
  const auto device = opgen::torch::device_of(
      op, {&dweights_, &logits_, &weights_, &ids_, &top_, &total_});
  const TopkSoftmaxBwdCall call(dweights_.buffer, logits_.buffer, weights_.buffer, ids_.buffer,
                                top_.buffer, total_.buffer, k_in, renormalize_in);
  const Context ctx(device);
  Output dlogits_(call.dlogits_(), device);
  const TopkSoftmaxBwdDescriptor desc = call.descriptor();
  const TopkSoftmaxBwdArgs args{&desc, &ctx, dlogits_.buffer, dweights_.buffer, logits_.buffer,
                                weights_.buffer, ids_.buffer, top_.buffer, total_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("topk_softmax(Tensor logits, SymInt k, bool renormalize=False) -> (Tensor weights, Tensor ids, Tensor top, Tensor total)");
  m.def("topk_softmax_bwd(Tensor dweights, Tensor logits, Tensor weights, Tensor ids, Tensor top, Tensor total, SymInt k, bool renormalize) -> (Tensor dlogits)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["topk_softmax"] = 0xbdd3e0197243;
  hashes["topk_softmax_bwd"] = 0x7079770710f6;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "topk_softmax",
            ways<&topk_softmax_<CpuContext, generated_topk_softmax_cpu>>);
  implement(m, CpuContext::platform, "topk_softmax_bwd",
            ways<&topk_softmax_bwd_<CpuContext, generated_topk_softmax_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "topk_softmax",
            ways<&topk_softmax_<CudaContext, generated_topk_softmax_cuda>>);
  implement(m, CudaContext::platform, "topk_softmax_bwd",
            ways<&topk_softmax_bwd_<CudaContext, generated_topk_softmax_bwd_cuda>>);
}
#endif
#endif
