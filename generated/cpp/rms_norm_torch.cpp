// The rms_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from rms_norm.toml.
#include "opgen/torch.h"

#include "rms_norm_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const RmsNormArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm(Tensor x_, Tensor weight_, double eps_) {
  const char* op = "rms_norm";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&x, &weight});
  const RmsNormCall call(x.buffer, weight.buffer, eps_);
  const Context ctx(device);
  Output y(call.y(), device);
  Output invvar(call.invvar(), device);
  const RmsNormDescriptor desc = call.descriptor();
  const RmsNormArgs args{&desc, &ctx, y.buffer, invvar.buffer, x.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), invvar.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsNormBwdArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_bwd(Tensor dy_, Tensor invvar_, Tensor x_, Tensor weight_,
                                      double eps_) {
  const char* op = "rms_norm_bwd";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input invvar(op, "invvar", invvar_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&dy, &invvar, &x, &weight});
  const RmsNormBwdCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer, eps_);
  const Context ctx(device);
  Output dx(call.dx(), device);
  Output dweight(call.dweight(), device);
  const Output part_grad(call.part_grad(), device);
  const RmsNormBwdDescriptor desc = call.descriptor();
  const RmsNormBwdArgs args{&desc, &ctx, dx.buffer, dweight.buffer, part_grad.buffer, dy.buffer,
                            invvar.buffer, x.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx.tensor(), dweight.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("rms_norm(Tensor x, Tensor weight, float eps=1e-05) -> (Tensor y, Tensor invvar)");
  m.def("rms_norm_bwd(Tensor dy, Tensor invvar, Tensor x, Tensor weight, float eps=1e-05) -> (Tensor dx, Tensor dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "rms_norm",
            ways<&rms_norm<CpuContext, generated_rms_norm_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_bwd",
            ways<&rms_norm_bwd<CpuContext, generated_rms_norm_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "rms_norm",
            ways<&rms_norm<CudaContext, generated_rms_norm_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_bwd",
            ways<&rms_norm_bwd<CudaContext, generated_rms_norm_bwd_cuda>>);
}
#endif
