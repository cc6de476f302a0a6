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

template <class Context, opgen::Status (*kernel)(const ClassTopArgs*) noexcept>
Owned class_top_(Tensor logits_in, std::string_view classes_in) {
  const char* op = "class_top";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const auto device = opgen::torch::device_of(op, {&logits_});
  const ClassTopCall call(logits_.buffer, classes_in);
  const Context ctx(device);
  Output top_(call.top_(), device);
  const ClassTopDescriptor desc = call.descriptor();
  const ClassTopArgs args{&desc, &ctx, top_.buffer, logits_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return top_.tensor();
}

template <class Context, opgen::Status (*kernel)(const ClassTotalArgs*) noexcept>
Owned class_total_(Tensor logits_in, Tensor top_in, std::string_view classes_in) {
  const char* op = "class_total";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &top_});
  const ClassTotalCall call(logits_.buffer, top_.buffer, classes_in);
  const Context ctx(device);
  Output total_(call.total_(), device);
  const ClassTotalDescriptor desc = call.descriptor();
  const ClassTotalArgs args{&desc, &ctx, total_.buffer, logits_.buffer, top_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return total_.tensor();
}

template <class Context, opgen::Status (*kernel)(const SoftCrossEntropyPartArgs*) noexcept>
std::tuple<Owned, Owned, Owned> soft_cross_entropy_part_(
    Tensor logits_in, Tensor target_in, Tensor top_in, Tensor total_in,
    std::optional<Tensor> weight_in, int64_t c_in, std::string_view classes_in,
    double label_smoothing_in, std::string_view reduction_in) {
  const char* op = "soft_cross_entropy_part";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input target_(op, "target", target_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input total_(op, "total", total_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &target_, &top_, &total_, &weight_});
  const SoftCrossEntropyPartCall call(logits_.buffer, target_.buffer, top_.buffer, total_.buffer,
                                      weight_.buffer, c_in, classes_in, label_smoothing_in,
                                      reduction_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output rest_(call.rest_(), device);
  Output mass_(call.mass_(), device);
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const SoftCrossEntropyPartDescriptor desc = call.descriptor();
  const SoftCrossEntropyPartArgs args{&desc, &ctx, loss_.buffer, rest_.buffer, mass_.buffer,
                                      losses_.buffer, logits_.buffer, target_.buffer, top_.buffer,
                                      total_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), rest_.tensor(), mass_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const SoftCrossEntropyBwdPartArgs*) noexcept>
std::tuple<Owned, OptionalOwned> soft_cross_entropy_bwd_part_(
    Tensor dloss_in, Tensor logits_in, Tensor target_in, Tensor top_in, Tensor rest_in,
    Tensor mass_in, std::optional<Tensor> weight_in, int64_t c_in, int64_t positions_in,
    std::string_view classes_in, double label_smoothing_in, std::string_view reduction_in,
    int64_t wanted) {
  const char* op = "soft_cross_entropy_bwd_part";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input target_(op, "target", target_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input rest_(op, "rest", rest_in);
  const opgen::torch::Input mass_(op, "mass", mass_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &logits_, &target_, &top_, &rest_, &mass_, &weight_});
  const SoftCrossEntropyBwdPartCall call(
      dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
      weight_.buffer, c_in, positions_in, classes_in, label_smoothing_in, reduction_in, wanted);
  const Context ctx(device);
  auto dlogits_ = call.dlogits_present() ? Output(call.dlogits_(), device) : Output();
  auto dtarget_ = call.dtarget_present() ? Output(call.dtarget_(), device) : Output();
  const SoftCrossEntropyBwdPartDescriptor desc = call.descriptor();
  const SoftCrossEntropyBwdPartArgs args{&desc, &ctx, dlogits_.buffer, dtarget_.buffer,
                                         dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer,
                                         rest_.buffer, mass_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dlogits_.tensor(), dtarget_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const WeightedCrossEntropyTotalArgs*) noexcept>
std::tuple<Owned, OptionalOwned> weighted_cross_entropy_total_(
    Tensor logits_in, Tensor labels_in, Tensor top_in, Tensor first_in,
    std::optional<Tensor> weight_in, int64_t c_in, std::string_view classes_in,
    int64_t ignore_index_in, std::string_view reduction_in) {
  const char* op = "weighted_cross_entropy_total";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&logits_, &labels_, &top_, &first_, &weight_});
  const WeightedCrossEntropyTotalCall call(logits_.buffer, labels_.buffer, top_.buffer,
                                           first_.buffer, weight_.buffer, c_in, classes_in,
                                           ignore_index_in, reduction_in);
  const Context ctx(device);
  Output total_(call.total_(), device);
  auto count_ = call.count_present() ? Output(call.count_(), device) : Output();
  const WeightedCrossEntropyTotalDescriptor desc = call.descriptor();
  const WeightedCrossEntropyTotalArgs args{&desc, &ctx, total_.buffer, count_.buffer,
                                           logits_.buffer, labels_.buffer, top_.buffer,
                                           first_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {total_.tensor(), count_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const WeightedCrossEntropyPartArgs*) noexcept>
std::tuple<Owned, Owned, Owned> weighted_cross_entropy_part_(
    Tensor logits_in, Tensor labels_in, Tensor top_in, Tensor total_in, Tensor first_in,
    std::optional<Tensor> count_in, std::optional<Tensor> weight_in, int64_t c_in,
    std::string_view classes_in, int64_t ignore_index_in, double label_smoothing_in,
    std::string_view reduction_in) {
  const char* op = "weighted_cross_entropy_part";
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input total_(op, "total", total_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const opgen::torch::Input count_(op, "count", count_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(
      op, {&logits_, &labels_, &top_, &total_, &first_, &count_, &weight_});
  const WeightedCrossEntropyPartCall call(
      logits_.buffer, labels_.buffer, top_.buffer, total_.buffer, first_.buffer, count_.buffer,
      weight_.buffer, c_in, classes_in, ignore_index_in, label_smoothing_in, reduction_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output rest_(call.rest_(), device);
  Output mass_(call.mass_(), device);
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const WeightedCrossEntropyPartDescriptor desc = call.descriptor();
  const WeightedCrossEntropyPartArgs args{
      &desc, &ctx, loss_.buffer, rest_.buffer, mass_.buffer, losses_.buffer, logits_.buffer,
      labels_.buffer, top_.buffer, total_.buffer, first_.buffer, count_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), rest_.tensor(), mass_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const WeightedCrossEntropyBwdPartArgs*) noexcept>
Owned weighted_cross_entropy_bwd_part_(
    Tensor dloss_in, Tensor logits_in, Tensor labels_in, Tensor top_in, Tensor rest_in,
    Tensor mass_in, Tensor first_in, std::optional<Tensor> count_in,
    std::optional<Tensor> weight_in, int64_t c_in, std::string_view classes_in,
    int64_t ignore_index_in, double label_smoothing_in, std::string_view reduction_in) {
  const char* op = "weighted_cross_entropy_bwd_part";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input logits_(op, "logits", logits_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input rest_(op, "rest", rest_in);
  const opgen::torch::Input mass_(op, "mass", mass_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const opgen::torch::Input count_(op, "count", count_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &logits_, &labels_, &top_, &rest_, &mass_, &first_, &count_, &weight_});
  const WeightedCrossEntropyBwdPartCall call(dloss_.buffer, logits_.buffer, labels_.buffer,
                                             top_.buffer, rest_.buffer, mass_.buffer, first_.buffer,
                                             count_.buffer, weight_.buffer, c_in, classes_in,
                                             ignore_index_in, label_smoothing_in, reduction_in);
  const Context ctx(device);
  Output dlogits_(call.dlogits_(), device);
  const WeightedCrossEntropyBwdPartDescriptor desc = call.descriptor();
  const WeightedCrossEntropyBwdPartArgs args{
      &desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
      rest_.buffer, mass_.buffer, first_.buffer, count_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dlogits_.tensor();
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
  m.def("class_top(Tensor logits, str classes=\"last\") -> (Tensor top)");
  m.def("class_total(Tensor logits, Tensor top, str classes=\"last\") -> (Tensor total)");
  m.def("soft_cross_entropy_part(Tensor logits, Tensor target, Tensor top, Tensor total, Tensor\? weight, SymInt c, str classes=\"last\", float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor loss, Tensor rest, Tensor mass)");
  m.def("soft_cross_entropy_bwd_part(Tensor dloss, Tensor logits, Tensor target, Tensor top, Tensor rest, Tensor mass, Tensor\? weight, SymInt c, SymInt positions, str classes=\"last\", float label_smoothing=0.0, str reduction=\"mean\", int wanted=-1) -> (Tensor dlogits, Tensor\? dtarget)");
  m.def("weighted_cross_entropy_total(Tensor logits, Tensor labels, Tensor top, Tensor first, Tensor\? weight, SymInt c, str classes=\"last\", SymInt ignore_index=-100, str reduction=\"mean\") -> (Tensor total, Tensor\? count)");
  m.def("weighted_cross_entropy_part(Tensor logits, Tensor labels, Tensor top, Tensor total, Tensor first, Tensor\? count, Tensor\? weight, SymInt c, str classes=\"last\", SymInt ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor loss, Tensor rest, Tensor mass)");
  m.def("weighted_cross_entropy_bwd_part(Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor mass, Tensor first, Tensor\? count, Tensor\? weight, SymInt c, str classes=\"last\", SymInt ignore_index=-100, float label_smoothing=0.0, str reduction=\"mean\") -> (Tensor dlogits)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["weighted_cross_entropy"] = 0x4b8796522f4c;
  hashes["weighted_cross_entropy_bwd"] = 0x5714cb5af289;
  hashes["soft_cross_entropy"] = 0x38495182624f;
  hashes["soft_cross_entropy_bwd"] = 0x23b829f32b44;
  hashes["class_top"] = 0x0a8322ccb984;
  hashes["class_total"] = 0x353f6477e65f;
  hashes["soft_cross_entropy_part"] = 0xadbc24851530;
  hashes["soft_cross_entropy_bwd_part"] = 0x13fd399bbacd;
  hashes["weighted_cross_entropy_total"] = 0x0a0afedaf8c1;
  hashes["weighted_cross_entropy_part"] = 0xd10c7d8c8b7d;
  hashes["weighted_cross_entropy_bwd_part"] = 0x2fb4575e75df;
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
  implement(m, CpuContext::platform, "class_top",
            ways<&class_top_<CpuContext, generated_class_top_cpu>>);
  implement(m, CpuContext::platform, "class_total",
            ways<&class_total_<CpuContext, generated_class_total_cpu>>);
  implement(m, CpuContext::platform, "soft_cross_entropy_part",
            ways<&soft_cross_entropy_part_<CpuContext, generated_soft_cross_entropy_part_cpu>>);
  implement(
      m, CpuContext::platform, "soft_cross_entropy_bwd_part",
      ways<&soft_cross_entropy_bwd_part_<CpuContext, generated_soft_cross_entropy_bwd_part_cpu>>);
  implement(
      m, CpuContext::platform, "weighted_cross_entropy_total",
      ways<&weighted_cross_entropy_total_<CpuContext, generated_weighted_cross_entropy_total_cpu>>);
  implement(
      m, CpuContext::platform, "weighted_cross_entropy_part",
      ways<&weighted_cross_entropy_part_<CpuContext, generated_weighted_cross_entropy_part_cpu>>);
  implement(m, CpuContext::platform, "weighted_cross_entropy_bwd_part",
            ways<&weighted_cross_entropy_bwd_part_<CpuContext,
                                                   generated_weighted_cross_entropy_bwd_part_cpu>>);
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
