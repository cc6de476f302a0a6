// The topk_softmax family in PyTorch, through its stable ABI.
// Rendered by opgen from topk_softmax.toml.
#include "opgen/torch.h"

#include "topk_softmax_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const TopkSoftmaxArgs*) noexcept>
std::tuple<Owned, Owned, Owned> topk_softmax(Tensor logits_, int64_t k_, bool renormalize_) {
  const char* op = "topk_softmax";
  const opgen::torch::Input logits(op, "logits", logits_);
  const auto device = opgen::torch::device_of(op, {&logits});
  const TopkSoftmaxCall call(logits.buffer, k_, renormalize_);
  const Context ctx(device);
  Output weights(call.weights(), device);
  Output ids(call.ids(), device);
  Output lse(call.lse(), device);
  const TopkSoftmaxDescriptor desc = call.descriptor();
  const TopkSoftmaxArgs args{&desc, &ctx, weights.buffer, ids.buffer, lse.buffer, logits.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {weights.tensor(), ids.tensor(), lse.tensor()};
}

template <class Context, opgen::Status (*kernel)(const TopkSoftmaxBwdArgs*) noexcept>
Owned topk_softmax_bwd(Tensor dweights_, Tensor logits_, Tensor weights_, Tensor ids_, Tensor lse_,
                       int64_t k_, bool renormalize_) {
  const char* op = "topk_softmax_bwd";
  const opgen::torch::Input dweights(op, "dweights", dweights_);
  const opgen::torch::Input logits(op, "logits", logits_);
  const opgen::torch::Input weights(op, "weights", weights_);
  const opgen::torch::Input ids(op, "ids", ids_);
  const opgen::torch::Input lse(op, "lse", lse_);
  const auto device = opgen::torch::device_of(op, {&dweights, &logits, &weights, &ids, &lse});
  const TopkSoftmaxBwdCall call(dweights.buffer, logits.buffer, weights.buffer, ids.buffer,
                                lse.buffer, k_, renormalize_);
  const Context ctx(device);
  Output dlogits(call.dlogits(), device);
  const TopkSoftmaxBwdDescriptor desc = call.descriptor();
  const TopkSoftmaxBwdArgs args{&desc, &ctx, dlogits.buffer, dweights.buffer, logits.buffer,
                                weights.buffer, ids.buffer, lse.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("topk_softmax(Tensor logits, SymInt k, bool renormalize=False) -> (Tensor weights, Tensor ids, Tensor lse)");
  m.def("topk_softmax_bwd(Tensor dweights, Tensor logits, Tensor weights, Tensor ids, Tensor lse, SymInt k, bool renormalize) -> (Tensor dlogits)");
}
