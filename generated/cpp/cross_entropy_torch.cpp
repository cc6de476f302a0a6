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

template <class Context, opgen::Status (*kernel)(const CrossEntropyTopArgs*) noexcept>
Owned cross_entropy_top(Tensor logits_) {
  const char* op = "cross_entropy_top";
  const opgen::torch::Input logits(op, "logits", logits_);
  const auto device = opgen::torch::device_of(op, {&logits});
  const CrossEntropyTopCall call(logits.buffer);
  const Context ctx(device);
  Output top(call.top(), device);
  const CrossEntropyTopDescriptor desc = call.descriptor();
  const CrossEntropyTopArgs args{&desc, &ctx, top.buffer, logits.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return top.tensor();
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyTermsArgs*) noexcept>
std::tuple<Owned, Owned, Owned> cross_entropy_terms(
    Tensor logits_, Tensor labels_, Tensor top_, Tensor first_, int64_t c_, int64_t ignore_index_,
    double label_smoothing_) {
  const char* op = "cross_entropy_terms";
  const opgen::torch::Input logits(op, "logits", logits_);
  const opgen::torch::Input labels(op, "labels", labels_);
  const opgen::torch::Input top(op, "top", top_);
  const opgen::torch::Input first(op, "first", first_);
  const auto device = opgen::torch::device_of(op, {&logits, &labels, &top, &first});
  const CrossEntropyTermsCall call(logits.buffer, labels.buffer, top.buffer, first.buffer, c_,
                                   ignore_index_, label_smoothing_);
  const Context ctx(device);
  Output total(call.total(), device);
  Output missed(call.missed(), device);
  auto below = call.has_below() ? Output(call.below(), device) : Output();
  const CrossEntropyTermsDescriptor desc = call.descriptor();
  const CrossEntropyTermsArgs args{&desc, &ctx, total.buffer, missed.buffer, below.buffer,
                                   logits.buffer, labels.buffer, top.buffer, first.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {total.tensor(), missed.tensor(), below.tensor()};
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyLossArgs*) noexcept>
std::tuple<Owned, Owned, Owned> cross_entropy_loss(
    Tensor logits_, Tensor labels_, Tensor total_, Tensor missed_, std::optional<Tensor> below_,
    int64_t ignore_index_, double label_smoothing_, std::string_view reduction_) {
  const char* op = "cross_entropy_loss";
  const opgen::torch::Input logits(op, "logits", logits_);
  const opgen::torch::Input labels(op, "labels", labels_);
  const opgen::torch::Input total(op, "total", total_);
  const opgen::torch::Input missed(op, "missed", missed_);
  const opgen::torch::Input below(op, "below", below_);
  const auto device = opgen::torch::device_of(op, {&logits, &labels, &total, &missed, &below});
  const CrossEntropyLossCall call(logits.buffer, labels.buffer, total.buffer, missed.buffer,
                                  below.buffer, ignore_index_, label_smoothing_, reduction_);
  const Context ctx(device);
  Output loss(call.loss(), device);
  Output rest(call.rest(), device);
  auto count = call.has_count() ? Output(call.count(), device) : Output();
  const auto losses = call.has_losses() ? Output(call.losses(), device) : Output();
  const CrossEntropyLossDescriptor desc = call.descriptor();
  const CrossEntropyLossArgs args{&desc, &ctx, loss.buffer, rest.buffer, count.buffer,
                                  losses.buffer, logits.buffer, labels.buffer, total.buffer,
                                  missed.buffer, below.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss.tensor(), rest.tensor(), count.tensor()};
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyBwdPartArgs*) noexcept>
Owned cross_entropy_bwd_part(Tensor dloss_, Tensor logits_, Tensor labels_, Tensor top_,
                             Tensor rest_, Tensor first_, std::optional<Tensor> count_, int64_t c_,
                             int64_t ignore_index_, double label_smoothing_,
                             std::string_view reduction_) {
  const char* op = "cross_entropy_bwd_part";
  const opgen::torch::Input dloss(op, "dloss", dloss_);
  const opgen::torch::Input logits(op, "logits", logits_);
  const opgen::torch::Input labels(op, "labels", labels_);
  const opgen::torch::Input top(op, "top", top_);
  const opgen::torch::Input rest(op, "rest", rest_);
  const opgen::torch::Input first(op, "first", first_);
  const opgen::torch::Input count(op, "count", count_);
  const auto device = opgen::torch::device_of(
      op, {&dloss, &logits, &labels, &top, &rest, &first, &count});
  const CrossEntropyBwdPartCall call(dloss.buffer, logits.buffer, labels.buffer, top.buffer,
                                     rest.buffer, first.buffer, count.buffer, c_, ignore_index_,
                                     label_smoothing_, reduction_);
  const Context ctx(device);
  Output dlogits(call.dlogits(), device);
  const CrossEntropyBwdPartDescriptor desc = call.descriptor();
  const CrossEntropyBwdPartArgs args{&desc, &ctx, dlogits.buffer, dloss.buffer, logits.buffer,
                                     labels.buffer, top.buffer, rest.buffer, first.buffer,
                                     count.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("cross_entropy(Tensor logits, Tensor labels, int ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor loss, Tensor top, Tensor rest, Tensor count)");
  m.def("cross_entropy_bwd(Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor\? count=None, int ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor dlogits)");
  m.def("cross_entropy_top(Tensor logits) -> (Tensor top)");
  m.def("cross_entropy_terms(Tensor logits, Tensor labels, Tensor top, Tensor first, int c, int ignore_index=-100, float label_smoothing=0.0) -> (Tensor total, Tensor missed, Tensor below)");
  m.def("cross_entropy_loss(Tensor logits, Tensor labels, Tensor total, Tensor missed, Tensor\? below=None, int ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor loss, Tensor rest, Tensor count)");
  m.def("cross_entropy_bwd_part(Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor first, Tensor\? count, int c, int ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor dlogits)");
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
  implement(m, CpuContext::platform, "cross_entropy_top",
            ways<&cross_entropy_top<CpuContext, generated_cross_entropy_top_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_terms",
            ways<&cross_entropy_terms<CpuContext, generated_cross_entropy_terms_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_loss",
            ways<&cross_entropy_loss<CpuContext, generated_cross_entropy_loss_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_bwd_part",
            ways<&cross_entropy_bwd_part<CpuContext, generated_cross_entropy_bwd_part_cpu>>);
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
  implement(m, CudaContext::platform, "cross_entropy_top",
            ways<&cross_entropy_top<CudaContext, generated_cross_entropy_top_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_terms",
            ways<&cross_entropy_terms<CudaContext, generated_cross_entropy_terms_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_loss",
            ways<&cross_entropy_loss<CudaContext, generated_cross_entropy_loss_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_bwd_part",
            ways<&cross_entropy_bwd_part<CudaContext, generated_cross_entropy_bwd_part_cuda>>);
}
#endif
