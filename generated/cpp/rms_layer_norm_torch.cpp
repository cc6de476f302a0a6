// The rms_layer_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from rms_layer_norm.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "rms_layer_norm_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const RmsLayerNormArgs*) noexcept>
std::tuple<Owned, Owned> rms_layer_norm_(
    Tensor x_in, std::optional<Tensor> weight_in, opgen::torch::List<int64_t> normalized_shape_in,
    std::optional<double> eps_in, double offset_in, bool cast_first_in) {
  const char* op = "rms_layer_norm";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_});
  const RmsLayerNormCall call(x_.buffer, weight_.buffer, opgen::torch::sizes(normalized_shape_in),
                              eps_in, offset_in, cast_first_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output rstd_(call.rstd_(), device);
  const RmsLayerNormDescriptor desc = call.descriptor();
  const RmsLayerNormArgs args{&desc, &ctx, y_.buffer, rstd_.buffer, x_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), rstd_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsLayerNormBwdArgs*) noexcept>
std::tuple<Owned, OptionalOwned> rms_layer_norm_bwd_(Tensor dy_in, Tensor x_in, Tensor rstd_in,
                                                     std::optional<Tensor> weight_in, double eps_in,
                                                     double offset_in, bool cast_first_in) {
  const char* op = "rms_layer_norm_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input rstd_(op, "rstd", rstd_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_, &rstd_, &weight_});
  const RmsLayerNormBwdCall call(dy_.buffer, x_.buffer, rstd_.buffer, weight_.buffer, eps_in,
                                 offset_in, cast_first_in);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  auto dweight_ = call.dweight_present() ? Output(call.dweight_(), device) : Output();
  const auto part_grad_ = call.part_grad_present() ? Output(call.part_grad_(), device) : Output();
  const RmsLayerNormBwdDescriptor desc = call.descriptor();
  const RmsLayerNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                 dy_.buffer, x_.buffer, rstd_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx_.tensor(), dweight_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("rms_layer_norm(Tensor x, Tensor\? weight, SymInt[] normalized_shape, float\? eps=None, float offset=0.0, bool cast_first=False) -> (Tensor y, Tensor rstd)");
  m.def("rms_layer_norm_bwd(Tensor dy, Tensor x, Tensor rstd, Tensor\? weight, float eps, float offset=0.0, bool cast_first=False) -> (Tensor dx, Tensor\? dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["rms_layer_norm"] = 0x4ff940a0e514;
  hashes["rms_layer_norm_bwd"] = 0xaf12313d2c53;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "rms_layer_norm",
            ways<&rms_layer_norm_<CpuContext, generated_rms_layer_norm_cpu>>);
  implement(m, CpuContext::platform, "rms_layer_norm_bwd",
            ways<&rms_layer_norm_bwd_<CpuContext, generated_rms_layer_norm_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "rms_layer_norm",
            ways<&rms_layer_norm_<CudaContext, generated_rms_layer_norm_cuda>>);
  implement(m, CudaContext::platform, "rms_layer_norm_bwd",
            ways<&rms_layer_norm_bwd_<CudaContext, generated_rms_layer_norm_bwd_cuda>>);
}
#endif
#endif
