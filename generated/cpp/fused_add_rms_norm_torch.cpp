// The fused_add_rms_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from fused_add_rms_norm.toml.
#include "opgen/torch.h"

#include "fused_add_rms_norm_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const FusedAddRmsNormArgs*) noexcept>
Owned fused_add_rms_norm(Tensor x_, Tensor residual_, Tensor weight_, double eps_) {
  const char* op = "fused_add_rms_norm";
  const opgen::torch::Input x(op, "x", x_, opgen::torch::Layout::last);
  const opgen::torch::Updated residual(op, "residual", residual_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&x, &residual, &weight});
  const FusedAddRmsNormCall call(x.buffer, residual.buffer, weight.buffer, eps_);
  opgen::torch::check_overlap(op, {&x, &residual, &weight});
  const Context ctx(device);
  Output y(call.y(), device);
  const FusedAddRmsNormDescriptor desc = call.descriptor();
  const FusedAddRmsNormArgs args{&desc, &ctx, y.buffer, x.buffer, residual.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

template <class Context, opgen::Status (*kernel)(const FusedAddRmsNormQuantArgs*) noexcept>
std::tuple<Owned, Owned> fused_add_rms_norm_quant(
    Tensor x_, Tensor residual_, Tensor weight_, std::optional<Tensor> scale_,
    std::optional<Tensor> scale_ub_, double eps_, bool dynamic_, opgen::torch::DType out_dtype_) {
  const char* op = "fused_add_rms_norm_quant";
  const opgen::torch::Input x(op, "x", x_, opgen::torch::Layout::last);
  const opgen::torch::Updated residual(op, "residual", residual_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input scale(op, "scale", scale_);
  const opgen::torch::Input scale_ub(op, "scale_ub", scale_ub_);
  const auto device = opgen::torch::device_of(op, {&x, &residual, &weight, &scale, &scale_ub});
  const FusedAddRmsNormQuantCall call(x.buffer, residual.buffer, weight.buffer, scale.buffer,
                                      scale_ub.buffer, eps_, dynamic_,
                                      opgen::torch::from_torch(out_dtype_, op, "out_dtype"));
  opgen::torch::check_overlap(op, {&x, &residual, &weight, &scale, &scale_ub});
  const Context ctx(device);
  Output y(call.y(), device);
  Output y_scale(call.y_scale(), device);
  const FusedAddRmsNormQuantDescriptor desc = call.descriptor();
  const FusedAddRmsNormQuantArgs args{&desc, &ctx, y.buffer, y_scale.buffer, x.buffer,
                                      residual.buffer, weight.buffer, scale.buffer,
                                      scale_ub.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), y_scale.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("fused_add_rms_norm(Tensor x, Tensor(b!) residual, Tensor weight, float eps=1e-06) -> (Tensor y)");
  m.def("fused_add_rms_norm_quant(Tensor x, Tensor(b!) residual, Tensor weight, Tensor\? scale, Tensor\? scale_ub, float eps, bool dynamic, ScalarType out_dtype) -> (Tensor y, Tensor y_scale)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "fused_add_rms_norm",
            ways<&fused_add_rms_norm<CpuContext, generated_fused_add_rms_norm_cpu>>);
  implement(m, CpuContext::platform, "fused_add_rms_norm_quant",
            ways<&fused_add_rms_norm_quant<CpuContext, generated_fused_add_rms_norm_quant_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "fused_add_rms_norm",
            ways<&fused_add_rms_norm<CudaContext, generated_fused_add_rms_norm_cuda>>);
  implement(m, CudaContext::platform, "fused_add_rms_norm_quant",
            ways<&fused_add_rms_norm_quant<CudaContext, generated_fused_add_rms_norm_quant_cuda>>);
}
#endif
