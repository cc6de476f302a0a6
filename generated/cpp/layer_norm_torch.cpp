// The layer_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from layer_norm.toml.
#include "opgen/torch.h"

#include "layer_norm_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const LayerNormArgs*) noexcept>
std::tuple<Owned, Owned, Owned> layer_norm(
    Tensor x_, std::optional<Tensor> weight_, std::optional<Tensor> bias_,
    opgen::torch::List<int64_t> normalized_shape_, double eps_) {
  const char* op = "layer_norm";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input bias(op, "bias", bias_);
  const auto device = opgen::torch::device_of(op, {&x, &weight, &bias});
  const LayerNormCall call(x.buffer, weight.buffer, bias.buffer,
                           opgen::torch::sizes(normalized_shape_), eps_);
  const Context ctx(device);
  Output y(call.y(), device);
  Output mean(call.mean(), device);
  Output rstd(call.rstd(), device);
  const LayerNormDescriptor desc = call.descriptor();
  const LayerNormArgs args{&desc, &ctx, y.buffer, mean.buffer, rstd.buffer, x.buffer, weight.buffer,
                           bias.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), mean.tensor(), rstd.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormBwdArgs*) noexcept>
std::tuple<Owned, Owned, Owned> layer_norm_bwd(Tensor dy_, Tensor x_, Tensor mean_, Tensor rstd_,
                                               std::optional<Tensor> weight_, double eps_,
                                               int64_t wanted_) {
  const char* op = "layer_norm_bwd";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input mean(op, "mean", mean_);
  const opgen::torch::Input rstd(op, "rstd", rstd_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&dy, &x, &mean, &rstd, &weight});
  const LayerNormBwdCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer, eps_,
                              wanted_);
  const Context ctx(device);
  auto dx = call.has_dx() ? Output(call.dx(), device) : Output();
  auto dweight = call.has_dweight() ? Output(call.dweight(), device) : Output();
  auto dbias = call.has_dbias() ? Output(call.dbias(), device) : Output();
  const auto parts = call.has_parts() ? Output(call.parts(), device) : Output();
  const LayerNormBwdDescriptor desc = call.descriptor();
  const LayerNormBwdArgs args{&desc, &ctx, dx.buffer, dweight.buffer, dbias.buffer, parts.buffer,
                              dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx.tensor(), dweight.tensor(), dbias.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormMeanArgs*) noexcept>
Owned layer_norm_mean(Tensor x_, opgen::torch::List<int64_t> normalized_shape_) {
  const char* op = "layer_norm_mean";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const LayerNormMeanCall call(x.buffer, opgen::torch::sizes(normalized_shape_));
  const Context ctx(device);
  Output mean(call.mean(), device);
  const LayerNormMeanDescriptor desc = call.descriptor();
  const LayerNormMeanArgs args{&desc, &ctx, mean.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return mean.tensor();
}

template <class Context, opgen::Status (*kernel)(const LayerNormVarianceArgs*) noexcept>
Owned layer_norm_variance(Tensor x_, Tensor mean_, opgen::torch::List<int64_t> normalized_shape_) {
  const char* op = "layer_norm_variance";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input mean(op, "mean", mean_);
  const auto device = opgen::torch::device_of(op, {&x, &mean});
  const LayerNormVarianceCall call(x.buffer, mean.buffer, opgen::torch::sizes(normalized_shape_));
  const Context ctx(device);
  Output variance(call.variance(), device);
  const LayerNormVarianceDescriptor desc = call.descriptor();
  const LayerNormVarianceArgs args{&desc, &ctx, variance.buffer, x.buffer, mean.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return variance.tensor();
}

template <class Context, opgen::Status (*kernel)(const LayerNormScaleArgs*) noexcept>
std::tuple<Owned, Owned> layer_norm_scale(
    Tensor x_, Tensor mean_, Tensor variance_, std::optional<Tensor> weight_,
    std::optional<Tensor> bias_, opgen::torch::List<int64_t> normalized_shape_, double eps_) {
  const char* op = "layer_norm_scale";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input mean(op, "mean", mean_);
  const opgen::torch::Input variance(op, "variance", variance_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input bias(op, "bias", bias_);
  const auto device = opgen::torch::device_of(op, {&x, &mean, &variance, &weight, &bias});
  const LayerNormScaleCall call(x.buffer, mean.buffer, variance.buffer, weight.buffer, bias.buffer,
                                opgen::torch::sizes(normalized_shape_), eps_);
  const Context ctx(device);
  Output y(call.y(), device);
  Output rstd(call.rstd(), device);
  const LayerNormScaleDescriptor desc = call.descriptor();
  const LayerNormScaleArgs args{&desc, &ctx, y.buffer, rstd.buffer, x.buffer, mean.buffer,
                                variance.buffer, weight.buffer, bias.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), rstd.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormBwdMeansArgs*) noexcept>
std::tuple<Owned, Owned> layer_norm_bwd_means(Tensor dy_, Tensor x_, Tensor mean_, Tensor rstd_,
                                              std::optional<Tensor> weight_) {
  const char* op = "layer_norm_bwd_means";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input mean(op, "mean", mean_);
  const opgen::torch::Input rstd(op, "rstd", rstd_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&dy, &x, &mean, &rstd, &weight});
  const LayerNormBwdMeansCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer);
  const Context ctx(device);
  Output g_mean(call.g_mean(), device);
  Output gh_mean(call.gh_mean(), device);
  const LayerNormBwdMeansDescriptor desc = call.descriptor();
  const LayerNormBwdMeansArgs args{&desc, &ctx, g_mean.buffer, gh_mean.buffer, dy.buffer, x.buffer,
                                   mean.buffer, rstd.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {g_mean.tensor(), gh_mean.tensor()};
}

template <class Context, opgen::Status (*kernel)(const LayerNormBwdApplyArgs*) noexcept>
std::tuple<Owned, Owned, Owned> layer_norm_bwd_apply(
    Tensor dy_, Tensor x_, Tensor mean_, Tensor rstd_, std::optional<Tensor> weight_,
    std::optional<Tensor> g_mean_, std::optional<Tensor> gh_mean_, int64_t wanted_) {
  const char* op = "layer_norm_bwd_apply";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input mean(op, "mean", mean_);
  const opgen::torch::Input rstd(op, "rstd", rstd_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input g_mean(op, "g_mean", g_mean_);
  const opgen::torch::Input gh_mean(op, "gh_mean", gh_mean_);
  const auto device = opgen::torch::device_of(op,
                                              {&dy, &x, &mean, &rstd, &weight, &g_mean, &gh_mean});
  const LayerNormBwdApplyCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer,
                                   g_mean.buffer, gh_mean.buffer, wanted_);
  const Context ctx(device);
  auto dx = call.has_dx() ? Output(call.dx(), device) : Output();
  auto dweight = call.has_dweight() ? Output(call.dweight(), device) : Output();
  auto dbias = call.has_dbias() ? Output(call.dbias(), device) : Output();
  const auto parts = call.has_parts() ? Output(call.parts(), device) : Output();
  const LayerNormBwdApplyDescriptor desc = call.descriptor();
  const LayerNormBwdApplyArgs args{&desc, &ctx, dx.buffer, dweight.buffer, dbias.buffer,
                                   parts.buffer, dy.buffer, x.buffer, mean.buffer, rstd.buffer,
                                   weight.buffer, g_mean.buffer, gh_mean.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx.tensor(), dweight.tensor(), dbias.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("layer_norm(Tensor x, Tensor\? weight, Tensor\? bias, SymInt[] normalized_shape, float eps=1e-05) -> (Tensor y, Tensor mean, Tensor rstd)");
  m.def("layer_norm_bwd(Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor\? weight, float eps, int wanted=-1) -> (Tensor dx, Tensor dweight, Tensor dbias)");
  m.def("layer_norm_mean(Tensor x, SymInt[] normalized_shape) -> (Tensor mean)");
  m.def(
      "layer_norm_variance(Tensor x, Tensor mean, SymInt[] normalized_shape) -> (Tensor variance)");
  m.def("layer_norm_scale(Tensor x, Tensor mean, Tensor variance, Tensor\? weight, Tensor\? bias, SymInt[] normalized_shape, float eps=1e-05) -> (Tensor y, Tensor rstd)");
  m.def("layer_norm_bwd_means(Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor\? weight=None) -> (Tensor g_mean, Tensor gh_mean)");
  m.def("layer_norm_bwd_apply(Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor\? weight=None, Tensor\? g_mean=None, Tensor\? gh_mean=None, int wanted=-1) -> (Tensor dx, Tensor dweight, Tensor dbias)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "layer_norm",
            ways<&layer_norm<CpuContext, generated_layer_norm_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_bwd",
            ways<&layer_norm_bwd<CpuContext, generated_layer_norm_bwd_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_mean",
            ways<&layer_norm_mean<CpuContext, generated_layer_norm_mean_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_variance",
            ways<&layer_norm_variance<CpuContext, generated_layer_norm_variance_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_scale",
            ways<&layer_norm_scale<CpuContext, generated_layer_norm_scale_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_bwd_means",
            ways<&layer_norm_bwd_means<CpuContext, generated_layer_norm_bwd_means_cpu>>);
  implement(m, CpuContext::platform, "layer_norm_bwd_apply",
            ways<&layer_norm_bwd_apply<CpuContext, generated_layer_norm_bwd_apply_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "layer_norm",
            ways<&layer_norm<CudaContext, generated_layer_norm_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_bwd",
            ways<&layer_norm_bwd<CudaContext, generated_layer_norm_bwd_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_mean",
            ways<&layer_norm_mean<CudaContext, generated_layer_norm_mean_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_variance",
            ways<&layer_norm_variance<CudaContext, generated_layer_norm_variance_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_scale",
            ways<&layer_norm_scale<CudaContext, generated_layer_norm_scale_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_bwd_means",
            ways<&layer_norm_bwd_means<CudaContext, generated_layer_norm_bwd_means_cuda>>);
  implement(m, CudaContext::platform, "layer_norm_bwd_apply",
            ways<&layer_norm_bwd_apply<CudaContext, generated_layer_norm_bwd_apply_cuda>>);
}
#endif
