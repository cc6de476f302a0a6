// The cross_entropy family in PyTorch, through its stable ABI.
// Rendered by opgen from cross_entropy.toml.
#include "opgen/torch.h"

#include "cross_entropy_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const CrossEntropyArgs*) noexcept>
std::tuple<Owned, Owned, Owned, Owned> cross_entropy(Tensor logits_, Tensor labels_,
                                                     int64_t ignore_index_, double label_smoothing_,
                                                     std::string_view reduction_) {
  const char* op = "cross_entropy";
  const opgen::torch::Input logits(op, "logits", logits_);
  const opgen::torch::Input labels(op, "labels", labels_);
  const auto device = opgen::torch::device_of(op, {&logits, &labels});
  const CrossEntropyCall call(logits.buffer, labels.buffer, ignore_index_, label_smoothing_,
                              reduction_);
  const Context ctx(device);
  Output loss(call.loss(), device);
  Output top(call.top(), device);
  Output rest(call.rest(), device);
  auto count = call.has_count() ? Output(call.count(), device) : Output();
  const auto losses = call.has_losses() ? Output(call.losses(), device) : Output();
  const CrossEntropyDescriptor desc = call.descriptor();
  const CrossEntropyArgs args{&desc, &ctx, loss.buffer, top.buffer, rest.buffer, count.buffer,
                              losses.buffer, logits.buffer, labels.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss.tensor(), top.tensor(), rest.tensor(), count.tensor()};
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyBwdArgs*) noexcept>
Owned cross_entropy_bwd(Tensor dloss_, Tensor logits_, Tensor labels_, Tensor top_, Tensor rest_,
                        std::optional<Tensor> count_, int64_t ignore_index_,
                        double label_smoothing_, std::string_view reduction_) {
  const char* op = "cross_entropy_bwd";
  const opgen::torch::Input dloss(op, "dloss", dloss_);
  const opgen::torch::Input logits(op, "logits", logits_);
  const opgen::torch::Input labels(op, "labels", labels_);
  const opgen::torch::Input top(op, "top", top_);
  const opgen::torch::Input rest(op, "rest", rest_);
  const opgen::torch::Input count(op, "count", count_);
  const auto device = opgen::torch::device_of(op, {&dloss, &logits, &labels, &top, &rest, &count});
  const CrossEntropyBwdCall call(dloss.buffer, logits.buffer, labels.buffer, top.buffer,
                                 rest.buffer, count.buffer, ignore_index_, label_smoothing_,
                                 reduction_);
  const Context ctx(device);
  Output dlogits(call.dlogits(), device);
  const CrossEntropyBwdDescriptor desc = call.descriptor();
  const CrossEntropyBwdArgs args{&desc, &ctx, dlogits.buffer, dloss.buffer, logits.buffer,
                                 labels.buffer, top.buffer, rest.buffer, count.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("cross_entropy(Tensor logits, Tensor labels, int ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor loss, Tensor top, Tensor rest, Tensor count)");
  m.def("cross_entropy_bwd(Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor\? count=None, int ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor dlogits)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "cross_entropy",
            ways<&cross_entropy<CpuContext, generated_cross_entropy_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_bwd",
            ways<&cross_entropy_bwd<CpuContext, generated_cross_entropy_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "cross_entropy",
            ways<&cross_entropy<CudaContext, generated_cross_entropy_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_bwd",
            ways<&cross_entropy_bwd<CudaContext, generated_cross_entropy_bwd_cuda>>);
}
#endif
