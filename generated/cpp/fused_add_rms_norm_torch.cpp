// The fused_add_rms_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from fused_add_rms_norm.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "fused_add_rms_norm_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const FusedAddRmsNormArgs*) noexcept>
Owned fused_add_rms_norm_(Tensor x_in, Tensor residual_in, Tensor weight_in, double eps_in) {
  const char* op = "fused_add_rms_norm";
  const opgen::torch::Input x_(op, "x", x_in, opgen::Layout::last);
  const opgen::torch::Updated residual_(op, "residual", residual_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&x_, &residual_, &weight_});
  const FusedAddRmsNormCall call(x_.buffer, residual_.buffer, weight_.buffer, eps_in);
  opgen::torch::check_overlap(op, {&x_, &residual_, &weight_});
  const Context ctx(device);
  Output y_(call.y_(), device);
  const FusedAddRmsNormDescriptor desc = call.descriptor();
  const FusedAddRmsNormArgs args{&desc, &ctx, y_.buffer, x_.buffer, residual_.buffer,
                                 weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const FusedAddRmsNormQuantArgs*) noexcept>
std::tuple<Owned, Owned> fused_add_rms_norm_quant_(
    Tensor x_in, Tensor residual_in, Tensor weight_in, std::optional<Tensor> scale_in,
    std::optional<Tensor> scale_ub_in, opgen::torch::DType out_dtype_in, double eps_in,
    bool dynamic_in) {
  const char* op = "fused_add_rms_norm_quant";
  const opgen::torch::Input x_(op, "x", x_in, opgen::Layout::last);
  const opgen::torch::Updated residual_(op, "residual", residual_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input scale_(op, "scale", scale_in);
  const opgen::torch::Input scale_ub_(op, "scale_ub", scale_ub_in);
  const auto device = opgen::torch::device_of(op, {&x_, &residual_, &weight_, &scale_, &scale_ub_});
  const FusedAddRmsNormQuantCall call(
      x_.buffer, residual_.buffer, weight_.buffer, scale_.buffer, scale_ub_.buffer,
      opgen::torch::from_torch(out_dtype_in, op, "out_dtype"), eps_in, dynamic_in);
  opgen::torch::check_overlap(op, {&x_, &residual_, &weight_, &scale_, &scale_ub_});
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output y_scale_(call.y_scale_(), device);
  const FusedAddRmsNormQuantDescriptor desc = call.descriptor();
  const FusedAddRmsNormQuantArgs args{&desc, &ctx, y_.buffer, y_scale_.buffer, x_.buffer,
                                      residual_.buffer, weight_.buffer, scale_.buffer,
                                      scale_ub_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), y_scale_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("fused_add_rms_norm(Tensor x, Tensor(b!) residual, Tensor weight, float eps=1e-06) -> (Tensor y)");
  m.def("fused_add_rms_norm_quant(Tensor x, Tensor(b!) residual, Tensor weight, Tensor\? scale, Tensor\? scale_ub, ScalarType out_dtype, float eps=1e-06, bool dynamic=False) -> (Tensor y, Tensor y_scale)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["fused_add_rms_norm"] = 0xa3d1d1e55bc0;
  hashes["fused_add_rms_norm_quant"] = 0x5086c0d1b4e5;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "fused_add_rms_norm",
            ways<&fused_add_rms_norm_<CpuContext, generated_fused_add_rms_norm_cpu>>);
  implement(m, CpuContext::platform, "fused_add_rms_norm_quant",
            ways<&fused_add_rms_norm_quant_<CpuContext, generated_fused_add_rms_norm_quant_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "fused_add_rms_norm",
            ways<&fused_add_rms_norm_<CudaContext, generated_fused_add_rms_norm_cuda>>);
  implement(m, CudaContext::platform, "fused_add_rms_norm_quant",
            ways<&fused_add_rms_norm_quant_<CudaContext, generated_fused_add_rms_norm_quant_cuda>>);
}
#endif
#endif
