// The linear_cross_entropy family in PyTorch, through its stable ABI.
// Rendered by opgen from linear_cross_entropy.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "linear_cross_entropy_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const LinearCrossEntropyArgs*) noexcept>
std::tuple<Owned, Owned, Owned, OptionalOwned> linear_cross_entropy_(
    Tensor hidden_in, Tensor weight_in, Tensor labels_in, int64_t ignore_index_in,
    std::string_view reduction_in) {
  const char* op = "linear_cross_entropy";
  const opgen::torch::Input hidden_(op, "hidden", hidden_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const auto device = opgen::torch::device_of(op, {&hidden_, &weight_, &labels_});
  const LinearCrossEntropyCall call(hidden_.buffer, weight_.buffer, labels_.buffer, ignore_index_in,
                                    reduction_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output top_(call.top_(), device);
  Output log_sum_(call.log_sum_(), device);
  auto count_ = call.count_present() ? Output(call.count_(), device) : Output();
  const Output parts_(call.parts_(), device);
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const LinearCrossEntropyDescriptor desc = call.descriptor();
  const LinearCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, log_sum_.buffer,
                                    count_.buffer, parts_.buffer, losses_.buffer, hidden_.buffer,
                                    weight_.buffer, labels_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), top_.tensor(), log_sum_.tensor(), count_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LinearCrossEntropyBwdArgs*) noexcept>
std::tuple<Owned, OptionalOwned> linear_cross_entropy_bwd_(
    Tensor dloss_in, Tensor hidden_in, Tensor weight_in, Tensor labels_in, Tensor top_in,
    Tensor log_sum_in, std::optional<Tensor> count_in, int64_t ignore_index_in,
    std::string_view reduction_in, int64_t wanted) {
  const char* op = "linear_cross_entropy_bwd";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input hidden_(op, "hidden", hidden_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input log_sum_(op, "log_sum", log_sum_in);
  const opgen::torch::Input count_(op, "count", count_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &hidden_, &weight_, &labels_, &top_, &log_sum_, &count_});
  const LinearCrossEntropyBwdCall call(dloss_.buffer, hidden_.buffer, weight_.buffer,
                                       labels_.buffer, top_.buffer, log_sum_.buffer, count_.buffer,
                                       ignore_index_in, reduction_in, wanted);
  const Context ctx(device);
  auto dhidden_ = call.dhidden_present() ? Output(call.dhidden_(), device) : Output();
  auto dweight_ = call.dweight_present() ? Output(call.dweight_(), device) : Output();
  const Output dlogits_(call.dlogits_(), device);
  const LinearCrossEntropyBwdDescriptor desc = call.descriptor();
  const LinearCrossEntropyBwdArgs args{
      &desc, &ctx, dhidden_.buffer, dweight_.buffer, dlogits_.buffer, dloss_.buffer, hidden_.buffer,
      weight_.buffer, labels_.buffer, top_.buffer, log_sum_.buffer, count_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dhidden_.tensor(), dweight_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LinearCrossEntropyTermsArgs*) noexcept>
std::tuple<Owned, Owned, Owned> linear_cross_entropy_terms_(Tensor hidden_in, Tensor weight_in,
                                                            Tensor labels_in, Tensor first_in,
                                                            int64_t c_in, int64_t ignore_index_in) {
  const char* op = "linear_cross_entropy_terms";
  const opgen::torch::Input hidden_(op, "hidden", hidden_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const auto device = opgen::torch::device_of(op, {&hidden_, &weight_, &labels_, &first_});
  const LinearCrossEntropyTermsCall call(hidden_.buffer, weight_.buffer, labels_.buffer,
                                         first_.buffer, c_in, ignore_index_in);
  const Context ctx(device);
  Output top_(call.top_(), device);
  Output total_(call.total_(), device);
  Output at_label_(call.at_label_(), device);
  const Output parts_(call.parts_(), device);
  const LinearCrossEntropyTermsDescriptor desc = call.descriptor();
  const LinearCrossEntropyTermsArgs args{&desc, &ctx, top_.buffer, total_.buffer, at_label_.buffer,
                                         parts_.buffer, hidden_.buffer, weight_.buffer,
                                         labels_.buffer, first_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {top_.tensor(), total_.tensor(), at_label_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LinearCrossEntropyLossArgs*) noexcept>
std::tuple<Owned, Owned, OptionalOwned> linear_cross_entropy_loss_(
    Tensor hidden_in, Tensor labels_in, Tensor top_in, Tensor total_in, Tensor at_label_in,
    int64_t ignore_index_in, std::string_view reduction_in) {
  const char* op = "linear_cross_entropy_loss";
  const opgen::torch::Input hidden_(op, "hidden", hidden_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input total_(op, "total", total_in);
  const opgen::torch::Input at_label_(op, "at_label", at_label_in);
  const auto device = opgen::torch::device_of(op, {&hidden_, &labels_, &top_, &total_, &at_label_});
  const LinearCrossEntropyLossCall call(hidden_.buffer, labels_.buffer, top_.buffer, total_.buffer,
                                        at_label_.buffer, ignore_index_in, reduction_in);
  const Context ctx(device);
  Output loss_(call.loss_(), device);
  Output log_sum_(call.log_sum_(), device);
  auto count_ = call.count_present() ? Output(call.count_(), device) : Output();
  const auto losses_ = call.losses_present() ? Output(call.losses_(), device) : Output();
  const LinearCrossEntropyLossDescriptor desc = call.descriptor();
  const LinearCrossEntropyLossArgs args{&desc, &ctx, loss_.buffer, log_sum_.buffer, count_.buffer,
                                        losses_.buffer, hidden_.buffer, labels_.buffer, top_.buffer,
                                        total_.buffer, at_label_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {loss_.tensor(), log_sum_.tensor(), count_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LinearCrossEntropyBwdPartArgs*) noexcept>
std::tuple<Owned, OptionalOwned> linear_cross_entropy_bwd_part_(
    Tensor dloss_in, Tensor hidden_in, Tensor weight_in, Tensor labels_in, Tensor top_in,
    Tensor log_sum_in, Tensor first_in, std::optional<Tensor> count_in, int64_t c_in,
    int64_t ignore_index_in, std::string_view reduction_in, int64_t wanted) {
  const char* op = "linear_cross_entropy_bwd_part";
  const opgen::torch::Input dloss_(op, "dloss", dloss_in);
  const opgen::torch::Input hidden_(op, "hidden", hidden_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input labels_(op, "labels", labels_in);
  const opgen::torch::Input top_(op, "top", top_in);
  const opgen::torch::Input log_sum_(op, "log_sum", log_sum_in);
  const opgen::torch::Input first_(op, "first", first_in);
  const opgen::torch::Input count_(op, "count", count_in);
  const auto device = opgen::torch::device_of(
      op, {&dloss_, &hidden_, &weight_, &labels_, &top_, &log_sum_, &first_, &count_});
  const LinearCrossEntropyBwdPartCall call(
      dloss_.buffer, hidden_.buffer, weight_.buffer, labels_.buffer, top_.buffer, log_sum_.buffer,
      first_.buffer, count_.buffer, c_in, ignore_index_in, reduction_in, wanted);
  const Context ctx(device);
  auto dhidden_ = call.dhidden_present() ? Output(call.dhidden_(), device) : Output();
  auto dweight_ = call.dweight_present() ? Output(call.dweight_(), device) : Output();
  const Output dlogits_(call.dlogits_(), device);
  const LinearCrossEntropyBwdPartDescriptor desc = call.descriptor();
  const LinearCrossEntropyBwdPartArgs args{
      &desc, &ctx, dhidden_.buffer, dweight_.buffer, dlogits_.buffer, dloss_.buffer, hidden_.buffer,
      weight_.buffer, labels_.buffer, top_.buffer, log_sum_.buffer, first_.buffer, count_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dhidden_.tensor(), dweight_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("linear_cross_entropy(Tensor hidden, Tensor weight, Tensor labels, SymInt ignore_index=-100, str reduction=\"mean\") -> (Tensor loss, Tensor top, Tensor log_sum, Tensor\? count)");
  m.def("linear_cross_entropy_bwd(Tensor dloss, Tensor hidden, Tensor weight, Tensor labels, Tensor top, Tensor log_sum, Tensor\? count=None, SymInt ignore_index=-100, str reduction=\"mean\", int wanted=-1) -> (Tensor dhidden, Tensor\? dweight)");
  m.def("linear_cross_entropy_terms(Tensor hidden, Tensor weight, Tensor labels, Tensor first, SymInt c, SymInt ignore_index=-100) -> (Tensor top, Tensor total, Tensor at_label)");
  m.def("linear_cross_entropy_loss(Tensor hidden, Tensor labels, Tensor top, Tensor total, Tensor at_label, SymInt ignore_index=-100, str reduction=\"mean\") -> (Tensor loss, Tensor log_sum, Tensor\? count)");
  m.def("linear_cross_entropy_bwd_part(Tensor dloss, Tensor hidden, Tensor weight, Tensor labels, Tensor top, Tensor log_sum, Tensor first, Tensor\? count, SymInt c, SymInt ignore_index=-100, str reduction=\"mean\", int wanted=-1) -> (Tensor dhidden, Tensor\? dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["linear_cross_entropy"] = 0x67de100c9fe7;
  hashes["linear_cross_entropy_bwd"] = 0x87522f5ab8dc;
  hashes["linear_cross_entropy_terms"] = 0xb9f0cc17c210;
  hashes["linear_cross_entropy_loss"] = 0x2f60fe8240e8;
  hashes["linear_cross_entropy_bwd_part"] = 0x50f41079ce1f;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "linear_cross_entropy",
            ways<&linear_cross_entropy_<CpuContext, generated_linear_cross_entropy_cpu>>);
  implement(m, CpuContext::platform, "linear_cross_entropy_bwd",
            ways<&linear_cross_entropy_bwd_<CpuContext, generated_linear_cross_entropy_bwd_cpu>>);
  implement(
      m, CpuContext::platform, "linear_cross_entropy_terms",
      ways<&linear_cross_entropy_terms_<CpuContext, generated_linear_cross_entropy_terms_cpu>>);
  implement(m, CpuContext::platform, "linear_cross_entropy_loss",
            ways<&linear_cross_entropy_loss_<CpuContext, generated_linear_cross_entropy_loss_cpu>>);
  implement(m, CpuContext::platform, "linear_cross_entropy_bwd_part",
            ways<&linear_cross_entropy_bwd_part_<CpuContext,
                                                 generated_linear_cross_entropy_bwd_part_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "linear_cross_entropy",
            ways<&linear_cross_entropy_<CudaContext, generated_linear_cross_entropy_cuda>>);
  implement(m, CudaContext::platform, "linear_cross_entropy_bwd",
            ways<&linear_cross_entropy_bwd_<CudaContext, generated_linear_cross_entropy_bwd_cuda>>);
}
#endif
#endif
