// The weighted_cross_entropy family in PyTorch, through its stable ABI.
// Rendered by opgen from weighted_cross_entropy.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "weighted_cross_entropy_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const WeightedCrossEntropyArgs*) noexcept>
std::tuple<Owned, Owned, Owned, Owned, OptionalOwned> weighted_cross_entropy_(
    Tensor logits_in, Tensor labels_in, std::optional<Tensor> weight_in, double label_smoothing_in,
    std::string_view reduction_in, std::string_view classes_in, int64_t ignore_index_in) {
  const char* op = "weighted_cross_entropy";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &labels_, &weight_});
  const WeightedCrossEntropyCall call(logits_.buffer, labels_.buffer, weight_.buffer,
                                      label_smoothing_in, reduction_in, classes_in,
                                      ignore_index_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output top_(call.top_(), device);
  Output rest_(call.rest_(), device);
  Output mass_(call.mass_(), device);
  auto count_ = call.count_present() ? Output(call.count_(), device) : Output();
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const WeightedCrossEntropyDescriptor desc = call.descriptor();
  const WeightedCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                      mass_.buffer, count_.buffer, losses_.buffer, logits_.buffer,
                                      labels_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), top_.tensor(), rest_.tensor(), mass_.tensor(), count_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const WeightedCrossEntropyBwdArgs*) noexcept>
Owned weighted_cross_entropy_bwd_(Tensor dloss_in, Tensor logits_in, Tensor labels_in,
                                  Tensor top_in, Tensor rest_in, Tensor mass_in,
                                  std::optional<Tensor> count_in, std::optional<Tensor> weight_in,
                                  double label_smoothing_in, std::string_view reduction_in,
                                  std::string_view classes_in, int64_t ignore_index_in) {
  const char* op = "weighted_cross_entropy_bwd";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input rest_(op, "rest", rest_in);
  const opgen::torch::Input mass_(op, "mass", mass_in);
  const opgen::torch::Input count_(op, "count", count_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &logits_, &labels_, &top_, &rest_, &mass_, &count_, &weight_});
  const WeightedCrossEntropyBwdCall call(
      dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
      count_.buffer, weight_.buffer, label_smoothing_in, reduction_in, classes_in, ignore_index_in);
  const Context ctx(device);
  Output dlogits_(call.dlogits_(), device);
  const WeightedCrossEntropyBwdDescriptor desc = call.descriptor();
  const WeightedCrossEntropyBwdArgs args{&desc, &ctx, dlogits_.buffer, dloss_.buffer,
                                         logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer,
                                         mass_.buffer, count_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits_.tensor();
}

template <class Context, opgen::Status (*kernel)(const SoftCrossEntropyArgs*) noexcept>
std::tuple<Owned, Owned, Owned, Owned> soft_cross_entropy_(
    Tensor logits_in, Tensor target_in, std::optional<Tensor> weight_in, double label_smoothing_in,
    std::string_view reduction_in, std::string_view classes_in) {
  const char* op = "soft_cross_entropy";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input target_(op, "target", target_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &target_, &weight_});
  const SoftCrossEntropyCall call(logits_.buffer, target_.buffer, weight_.buffer,
                                  label_smoothing_in, reduction_in, classes_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output top_(call.top_(), device);
  Output rest_(call.rest_(), device);
  Output mass_(call.mass_(), device);
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const SoftCrossEntropyDescriptor desc = call.descriptor();
  const SoftCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                  mass_.buffer, losses_.buffer, logits_.buffer, target_.buffer,
                                  weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), top_.tensor(), rest_.tensor(), mass_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const SoftCrossEntropyBwdArgs*) noexcept>
std::tuple<Owned, OptionalOwned> soft_cross_entropy_bwd_(
    Tensor dloss_in, Tensor logits_in, Tensor target_in, Tensor top_in, Tensor rest_in,
    Tensor mass_in, std::optional<Tensor> weight_in, int64_t positions_in,
    double label_smoothing_in, std::string_view reduction_in, std::string_view classes_in,
    int64_t wanted) {
  const char* op = "soft_cross_entropy_bwd";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input target_(op, "target", target_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input rest_(op, "rest", rest_in);
  const opgen::torch::Input mass_(op, "mass", mass_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &logits_, &target_, &top_, &rest_, &mass_, &weight_});
  const SoftCrossEntropyBwdCall call(dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer,
                                     rest_.buffer, mass_.buffer, weight_.buffer, positions_in,
                                     label_smoothing_in, reduction_in, classes_in, wanted);
  const Context ctx(device);
  auto dlogits_ = call.dlogits_present() ? Output(call.dlogits_(), device) : Output();
  auto dtarget_ = call.dtarget_present() ? Output(call.dtarget_(), device) : Output();
  const SoftCrossEntropyBwdDescriptor desc = call.descriptor();
  const SoftCrossEntropyBwdArgs args{&desc, &ctx, dlogits_.buffer, dtarget_.buffer, dloss_.buffer,
                                     logits_.buffer, target_.buffer, top_.buffer, rest_.buffer,
                                     mass_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dlogits_.tensor(), dtarget_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("weighted_cross_entropy(Tensor logits, Tensor labels, Tensor\? weight=None, float label_smoothing=0.0, str reduction=\"mean\", str classes=\"last\", SymInt ignore_index=-100) -> (Tensor loss, Tensor top, Tensor rest, Tensor mass, Tensor\? count)");
  m.def("weighted_cross_entropy_bwd(Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor mass, Tensor\? count=None, Tensor\? weight=None, float label_smoothing=0.0, str reduction=\"mean\", str classes=\"last\", SymInt ignore_index=-100) -> (Tensor dlogits)");
  m.def("soft_cross_entropy(Tensor logits, Tensor target, Tensor\? weight=None, float label_smoothing=0.0, str reduction=\"mean\", str classes=\"last\") -> (Tensor loss, Tensor top, Tensor rest, Tensor mass)");
  m.def("soft_cross_entropy_bwd(Tensor dloss, Tensor logits, Tensor target, Tensor top, Tensor rest, Tensor mass, Tensor\? weight, SymInt positions, float label_smoothing=0.0, str reduction=\"mean\", str classes=\"last\", int wanted=-1) -> (Tensor dlogits, Tensor\? dtarget)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["weighted_cross_entropy"] = 0x9c777f43937d;
  hashes["weighted_cross_entropy_bwd"] = 0x88ca44006748;
  hashes["soft_cross_entropy"] = 0x0dce3623f7a9;
  hashes["soft_cross_entropy_bwd"] = 0x9a5e5930e934;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "weighted_cross_entropy",
            ways<&weighted_cross_entropy_<CpuContext, generated_weighted_cross_entropy_cpu>>);
  implement(
      m, CpuContext::platform, "weighted_cross_entropy_bwd",
      ways<&weighted_cross_entropy_bwd_<CpuContext, generated_weighted_cross_entropy_bwd_cpu>>);
  implement(m, CpuContext::platform, "soft_cross_entropy",
            ways<&soft_cross_entropy_<CpuContext, generated_soft_cross_entropy_cpu>>);
  implement(m, CpuContext::platform, "soft_cross_entropy_bwd",
            ways<&soft_cross_entropy_bwd_<CpuContext, generated_soft_cross_entropy_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "weighted_cross_entropy",
            ways<&weighted_cross_entropy_<CudaContext, generated_weighted_cross_entropy_cuda>>);
  implement(
      m, CudaContext::platform, "weighted_cross_entropy_bwd",
      ways<&weighted_cross_entropy_bwd_<CudaContext, generated_weighted_cross_entropy_bwd_cuda>>);
  implement(m, CudaContext::platform, "soft_cross_entropy",
            ways<&soft_cross_entropy_<CudaContext, generated_soft_cross_entropy_cuda>>);
  implement(m, CudaContext::platform, "soft_cross_entropy_bwd",
            ways<&soft_cross_entropy_bwd_<CudaContext, generated_soft_cross_entropy_bwd_cuda>>);
}
#endif
#endif
