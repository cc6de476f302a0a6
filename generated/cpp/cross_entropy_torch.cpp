// The cross_entropy family in PyTorch, through its stable ABI.
// Rendered by opgen from cross_entropy.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "cross_entropy_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const CrossEntropyArgs*) noexcept>
std::tuple<Owned, Owned, Owned, OptionalOwned> cross_entropy_(
    Tensor logits_in, Tensor labels_in, int64_t ignore_index_in, double label_smoothing_in,
    std::string_view reduction_in) {
  const char* op = "cross_entropy";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &labels_});
  const CrossEntropyCall call(logits_.buffer, labels_.buffer, ignore_index_in, label_smoothing_in,
                              reduction_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output top_(call.top_(), device);
  Output rest_(call.rest_(), device);
  auto count_ = call.count_present() ? Output(call.count_(), device) : Output();
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const CrossEntropyDescriptor desc = call.descriptor();
  const CrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer, count_.buffer,
                              losses_.buffer, logits_.buffer, labels_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), top_.tensor(), rest_.tensor(), count_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyBwdArgs*) noexcept>
Owned cross_entropy_bwd_(Tensor dloss_in, Tensor logits_in, Tensor labels_in, Tensor top_in,
                         Tensor rest_in, std::optional<Tensor> count_in, int64_t ignore_index_in,
                         double label_smoothing_in, std::string_view reduction_in) {
  const char* op = "cross_entropy_bwd";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input rest_(op, "rest", rest_in);
  const opgen::torch::Input count_(op, "count", count_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &logits_, &labels_, &top_, &rest_, &count_});
  const CrossEntropyBwdCall call(dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
                                 rest_.buffer, count_.buffer, ignore_index_in, label_smoothing_in,
                                 reduction_in);
  const Context ctx(device);
  Output dlogits_(call.dlogits_(), device);
  const CrossEntropyBwdDescriptor desc = call.descriptor();
  const CrossEntropyBwdArgs args{&desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer,
                                 labels_.buffer, top_.buffer, rest_.buffer, count_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits_.tensor();
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyTopArgs*) noexcept>
Owned cross_entropy_top_(Tensor logits_in) {
  const char* op = "cross_entropy_top";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const auto device = opgen::torch::device_of(op, {&logits_});
  const CrossEntropyTopCall call(logits_.buffer);
  const Context ctx(device);
  Output top_(call.top_(), device);
  const CrossEntropyTopDescriptor desc = call.descriptor();
  const CrossEntropyTopArgs args{&desc, &ctx, top_.buffer, logits_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return top_.tensor();
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyTermsArgs*) noexcept>
std::tuple<Owned, Owned, OptionalOwned> cross_entropy_terms_(
    Tensor logits_in, Tensor labels_in, Tensor top_in, Tensor first_in, int64_t c_in,
    int64_t ignore_index_in, double label_smoothing_in) {
  const char* op = "cross_entropy_terms";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &labels_, &top_, &first_});
  const CrossEntropyTermsCall call(logits_.buffer, labels_.buffer, top_.buffer, first_.buffer, c_in,
                                   ignore_index_in, label_smoothing_in);
  const Context ctx(device);
  Output total_(call.total_(), device);
  Output missed_(call.missed_(), device);
  auto below_ = call.below_present() ? Output(call.below_(), device) : Output();
  const CrossEntropyTermsDescriptor desc = call.descriptor();
  const CrossEntropyTermsArgs args{&desc, &ctx, total_.buffer, missed_.buffer, below_.buffer,
                                   logits_.buffer, labels_.buffer, top_.buffer, first_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {total_.tensor(), missed_.tensor(), below_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyLossArgs*) noexcept>
std::tuple<Owned, Owned, OptionalOwned> cross_entropy_loss_(
    Tensor logits_in, Tensor labels_in, Tensor total_in, Tensor missed_in,
    std::optional<Tensor> below_in, int64_t ignore_index_in, double label_smoothing_in,
    std::string_view reduction_in) {
  const char* op = "cross_entropy_loss";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input total_(op, "total", total_in);
  const opgen::torch::Input missed_(op, "missed", missed_in);
  const opgen::torch::Input below_(op, "below", below_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &labels_, &total_, &missed_, &below_});
  const CrossEntropyLossCall call(logits_.buffer, labels_.buffer, total_.buffer, missed_.buffer,
                                  below_.buffer, ignore_index_in, label_smoothing_in, reduction_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output rest_(call.rest_(), device);
  auto count_ = call.count_present() ? Output(call.count_(), device) : Output();
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const CrossEntropyLossDescriptor desc = call.descriptor();
  const CrossEntropyLossArgs args{&desc, &ctx, loss_.buffer, rest_.buffer, count_.buffer,
                                  losses_.buffer, logits_.buffer, labels_.buffer, total_.buffer,
                                  missed_.buffer, below_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), rest_.tensor(), count_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const CrossEntropyBwdPartArgs*) noexcept>
Owned cross_entropy_bwd_part_(Tensor dloss_in, Tensor logits_in, Tensor labels_in, Tensor top_in,
                              Tensor rest_in, Tensor first_in, std::optional<Tensor> count_in,
                              int64_t c_in, int64_t ignore_index_in, double label_smoothing_in,
                              std::string_view reduction_in) {
  const char* op = "cross_entropy_bwd_part";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input rest_(op, "rest", rest_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const opgen::torch::Input count_(op, "count", count_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &logits_, &labels_, &top_, &rest_, &first_, &count_});
  const CrossEntropyBwdPartCall call(dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
                                     rest_.buffer, first_.buffer, count_.buffer, c_in,
                                     ignore_index_in, label_smoothing_in, reduction_in);
  const Context ctx(device);
  Output dlogits_(call.dlogits_(), device);
  const CrossEntropyBwdPartDescriptor desc = call.descriptor();
  const CrossEntropyBwdPartArgs args{&desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer,
                                     labels_.buffer, top_.buffer, rest_.buffer, first_.buffer,
                                     count_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("cross_entropy(Tensor logits, Tensor labels, SymInt ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor loss, Tensor top, Tensor rest, Tensor\? count)");
  m.def("cross_entropy_bwd(Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor\? count=None, SymInt ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor dlogits)");
  m.def("cross_entropy_top(Tensor logits) -> (Tensor top)");
  m.def("cross_entropy_terms(Tensor logits, Tensor labels, Tensor top, Tensor first, SymInt c, SymInt ignore_index=-100, float label_smoothing=0.0) -> (Tensor total, Tensor missed, Tensor\? below)");
  m.def("cross_entropy_loss(Tensor logits, Tensor labels, Tensor total, Tensor missed, Tensor\? below=None, SymInt ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor loss, Tensor rest, Tensor\? count)");
  m.def("cross_entropy_bwd_part(Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor first, Tensor\? count, SymInt c, SymInt ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor dlogits)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["cross_entropy"] = 0x2d294bfae677;
  hashes["cross_entropy_bwd"] = 0x27cbb07335bb;
  hashes["cross_entropy_top"] = 0xa8af4646449e;
  hashes["cross_entropy_terms"] = 0x0f26524657ab;
  hashes["cross_entropy_loss"] = 0x8080b54036b3;
  hashes["cross_entropy_bwd_part"] = 0x3f798628e011;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "cross_entropy",
            ways<&cross_entropy_<CpuContext, generated_cross_entropy_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_bwd",
            ways<&cross_entropy_bwd_<CpuContext, generated_cross_entropy_bwd_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_top",
            ways<&cross_entropy_top_<CpuContext, generated_cross_entropy_top_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_terms",
            ways<&cross_entropy_terms_<CpuContext, generated_cross_entropy_terms_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_loss",
            ways<&cross_entropy_loss_<CpuContext, generated_cross_entropy_loss_cpu>>);
  implement(m, CpuContext::platform, "cross_entropy_bwd_part",
            ways<&cross_entropy_bwd_part_<CpuContext, generated_cross_entropy_bwd_part_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "cross_entropy",
            ways<&cross_entropy_<CudaContext, generated_cross_entropy_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_bwd",
            ways<&cross_entropy_bwd_<CudaContext, generated_cross_entropy_bwd_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_top",
            ways<&cross_entropy_top_<CudaContext, generated_cross_entropy_top_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_terms",
            ways<&cross_entropy_terms_<CudaContext, generated_cross_entropy_terms_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_loss",
            ways<&cross_entropy_loss_<CudaContext, generated_cross_entropy_loss_cuda>>);
  implement(m, CudaContext::platform, "cross_entropy_bwd_part",
            ways<&cross_entropy_bwd_part_<CudaContext, generated_cross_entropy_bwd_part_cuda>>);
}
#endif
#endif
