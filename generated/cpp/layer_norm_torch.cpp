// The layer_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from layer_norm.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "layer_norm_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const LayerNormArgs*) noexcept>
std::tuple<Owned, Owned, Owned> layer_norm_(
    Tensor x_in, std::optional<Tensor> weight_in, std::optional<Tensor> bias_in,
    opgen::torch::List<int64_t> normalized_shape_in, double eps_in) {
  const char* op = "layer_norm";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input bias_(op, "bias", bias_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_, &bias_});
  const LayerNormCall call(x_.buffer, weight_.buffer, bias_.buffer,
                           opgen::torch::sizes(normalized_shape_in), eps_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output mean_(call.mean_(), device);
  Output rstd_(call.rstd_(), device);
  const LayerNormDescriptor desc = call.descriptor();
  const LayerNormArgs args{&desc, &ctx, y_.buffer, mean_.buffer, rstd_.buffer, x_.buffer,
                           weight_.buffer, bias_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), mean_.tensor(), rstd_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormBwdArgs*) noexcept>
std::tuple<Owned, OptionalOwned, OptionalOwned> layer_norm_bwd_(
    Tensor dy_in, Tensor x_in, Tensor mean_in, Tensor rstd_in, std::optional<Tensor> weight_in,
    double eps_in, int64_t wanted) {
  const char* op = "layer_norm_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input mean_(op, "mean", mean_in);
  const opgen::torch::Input rstd_(op, "rstd", rstd_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_, &mean_, &rstd_, &weight_});
  const LayerNormBwdCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer,
                              eps_in, wanted);
  const Context ctx(device);
  auto dx_ = call.dx_present() ? Output(call.dx_(), device) : Output();
  auto dweight_ = call.dweight_present() ? Output(call.dweight_(), device) : Output();
  auto dbias_ = call.dbias_present() ? Output(call.dbias_(), device) : Output();
  const auto parts_ = call.parts_present() ? Output(call.parts_(), device) : Output();
  const LayerNormBwdDescriptor desc = call.descriptor();
  const LayerNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, dbias_.buffer,
                              parts_.buffer, dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                              weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx_.tensor(), dweight_.tensor(), dbias_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormMeanArgs*) noexcept>
Owned layer_norm_mean_(Tensor x_in, opgen::torch::List<int64_t> normalized_shape_in) {
  const char* op = "layer_norm_mean";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const LayerNormMeanCall call(x_.buffer, opgen::torch::sizes(normalized_shape_in));
  const Context ctx(device);
  Output mean_(call.mean_(), device);
  const LayerNormMeanDescriptor desc = call.descriptor();
  const LayerNormMeanArgs args{&desc, &ctx, mean_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return mean_.tensor();
}

template <class Context, opgen::Status (*kernel)(const LayerNormVarianceArgs*) noexcept>
Owned layer_norm_variance_(Tensor x_in, Tensor mean_in,
                           opgen::torch::List<int64_t> normalized_shape_in) {
  const char* op = "layer_norm_variance";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input mean_(op, "mean", mean_in);
  const auto device = opgen::torch::device_of(op, {&x_, &mean_});
  const LayerNormVarianceCall call(x_.buffer, mean_.buffer,
                                   opgen::torch::sizes(normalized_shape_in));
  const Context ctx(device);
  Output variance_(call.variance_(), device);
  const LayerNormVarianceDescriptor desc = call.descriptor();
  const LayerNormVarianceArgs args{&desc, &ctx, variance_.buffer, x_.buffer, mean_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return variance_.tensor();
}

template <class Context, opgen::Status (*kernel)(const LayerNormScaleArgs*) noexcept>
std::tuple<Owned, Owned> layer_norm_scale_(
    Tensor x_in, Tensor mean_in, Tensor variance_in, std::optional<Tensor> weight_in,
    std::optional<Tensor> bias_in, opgen::torch::List<int64_t> normalized_shape_in, double eps_in) {
  const char* op = "layer_norm_scale";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input mean_(op, "mean", mean_in);
  const opgen::torch::Input variance_(op, "variance", variance_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input bias_(op, "bias", bias_in);
  const auto device = opgen::torch::device_of(op, {&x_, &mean_, &variance_, &weight_, &bias_});
  const LayerNormScaleCall call(x_.buffer, mean_.buffer, variance_.buffer, weight_.buffer,
                                bias_.buffer, opgen::torch::sizes(normalized_shape_in), eps_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output rstd_(call.rstd_(), device);
  const LayerNormScaleDescriptor desc = call.descriptor();
  const LayerNormScaleArgs args{&desc, &ctx, y_.buffer, rstd_.buffer, x_.buffer, mean_.buffer,
                                variance_.buffer, weight_.buffer, bias_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), rstd_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormBwdMeansArgs*) noexcept>
std::tuple<Owned, Owned> layer_norm_bwd_means_(Tensor dy_in, Tensor x_in, Tensor mean_in,
                                               Tensor rstd_in, std::optional<Tensor> weight_in) {
  const char* op = "layer_norm_bwd_means";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input mean_(op, "mean", mean_in);
  const opgen::torch::Input rstd_(op, "rstd", rstd_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_, &mean_, &rstd_, &weight_});
  const LayerNormBwdMeansCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                   weight_.buffer);
  const Context ctx(device);
  Output g_mean_(call.g_mean_(), device);
  Output gh_mean_(call.gh_mean_(), device);
  const LayerNormBwdMeansDescriptor desc = call.descriptor();
  const LayerNormBwdMeansArgs args{&desc, &ctx, g_mean_.buffer, gh_mean_.buffer, dy_.buffer,
                                   x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {g_mean_.tensor(), gh_mean_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormBwdApplyArgs*) noexcept>
std::tuple<Owned, OptionalOwned, OptionalOwned> layer_norm_bwd_apply_(
    Tensor dy_in, Tensor x_in, Tensor mean_in, Tensor rstd_in, std::optional<Tensor> weight_in,
    std::optional<Tensor> g_mean_in, std::optional<Tensor> gh_mean_in, int64_t wanted) {
  const char* op = "layer_norm_bwd_apply";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input mean_(op, "mean", mean_in);
  const opgen::torch::Input rstd_(op, "rstd", rstd_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input g_mean_(op, "g_mean", g_mean_in);
  const opgen::torch::Input gh_mean_(op, "gh_mean", gh_mean_in);
  const auto device = opgen::torch::device_of(
      op, {&dy_, &x_, &mean_, &rstd_, &weight_, &g_mean_, &gh_mean_});
  const LayerNormBwdApplyCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                   weight_.buffer, g_mean_.buffer, gh_mean_.buffer, wanted);
  const Context ctx(device);
  auto dx_ = call.dx_present() ? Output(call.dx_(), device) : Output();
  auto dweight_ = call.dweight_present() ? Output(call.dweight_(), device) : Output();
  auto dbias_ = call.dbias_present() ? Output(call.dbias_(), device) : Output();
  const auto parts_ = call.parts_present() ? Output(call.parts_(), device) : Output();
  const LayerNormBwdApplyDescriptor desc = call.descriptor();
  const LayerNormBwdApplyArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, dbias_.buffer,
                                   parts_.buffer, dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                   weight_.buffer, g_mean_.buffer, gh_mean_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx_.tensor(), dweight_.tensor(), dbias_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("layer_norm(Tensor x, Tensor\? weight, Tensor\? bias, SymInt[] normalized_shape, float eps=1e-05) -> (Tensor y, Tensor mean, Tensor rstd)");
  m.def("layer_norm_bwd(Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor\? weight, float eps, int wanted=-1) -> (Tensor dx, Tensor\? dweight, Tensor\? dbias)");
  m.def("layer_norm_mean(Tensor x, SymInt[] normalized_shape) -> (Tensor mean)");
  m.def(
      "layer_norm_variance(Tensor x, Tensor mean, SymInt[] normalized_shape) -> (Tensor variance)");
  m.def("layer_norm_scale(Tensor x, Tensor mean, Tensor variance, Tensor\? weight, Tensor\? bias, SymInt[] normalized_shape, float eps=1e-05) -> (Tensor y, Tensor rstd)");
  m.def("layer_norm_bwd_means(Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor\? weight=None) -> (Tensor g_mean, Tensor gh_mean)");
  m.def("layer_norm_bwd_apply(Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor\? weight=None, Tensor\? g_mean=None, Tensor\? gh_mean=None, int wanted=-1) -> (Tensor dx, Tensor\? dweight, Tensor\? dbias)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["layer_norm"] = 0xef462f1f332b;
  hashes["layer_norm_bwd"] = 0x97ed135a1dba;
  hashes["layer_norm_mean"] = 0xa409a9f209c8;
  hashes["layer_norm_variance"] = 0x102e13954e27;
  hashes["layer_norm_scale"] = 0xa5a3220faf76;
  hashes["layer_norm_bwd_means"] = 0xc389da085d9a;
  hashes["layer_norm_bwd_apply"] = 0x58d2221b3bc5;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "layer_norm",
            ways<&layer_norm_<CpuContext, generated_layer_norm_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_bwd",
            ways<&layer_norm_bwd_<CpuContext, generated_layer_norm_bwd_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_mean",
            ways<&layer_norm_mean_<CpuContext, generated_layer_norm_mean_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_variance",
            ways<&layer_norm_variance_<CpuContext, generated_layer_norm_variance_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_scale",
            ways<&layer_norm_scale_<CpuContext, generated_layer_norm_scale_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_bwd_means",
            ways<&layer_norm_bwd_means_<CpuContext, generated_layer_norm_bwd_means_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_bwd_apply",
            ways<&layer_norm_bwd_apply_<CpuContext, generated_layer_norm_bwd_apply_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "layer_norm",
            ways<&layer_norm_<CudaContext, generated_layer_norm_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_bwd",
            ways<&layer_norm_bwd_<CudaContext, generated_layer_norm_bwd_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_mean",
            ways<&layer_norm_mean_<CudaContext, generated_layer_norm_mean_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_variance",
            ways<&layer_norm_variance_<CudaContext, generated_layer_norm_variance_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_scale",
            ways<&layer_norm_scale_<CudaContext, generated_layer_norm_scale_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_bwd_means",
            ways<&layer_norm_bwd_means_<CudaContext, generated_layer_norm_bwd_means_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_bwd_apply",
            ways<&layer_norm_bwd_apply_<CudaContext, generated_layer_norm_bwd_apply_cuda>>);
}
#endif
#endif
