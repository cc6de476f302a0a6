// The relu family in PyTorch, through its stable ABI.
// Rendered by opgen from relu.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "relu_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Given;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const ReluArgs*) noexcept>
Owned relu_(Tensor x_in) {
  const char* op = "relu";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const ReluCall call(x_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const ReluDescriptor desc = call.descriptor();
  const ReluArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const ReluArgs*) noexcept>
void relu_out(Tensor x_in, Tensor y_in) {
  const char* op = "relu";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const ReluCall call(x_.buffer);
  Given y_(op, "out", y_in, call.y_(), device);
  opgen::torch::check_overlap(op, {&x_, &y_});
  const Context ctx(device);
  const ReluDescriptor desc = call.descriptor();
  const ReluArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  y_.finish();
}

template <class Context, opgen::Status (*kernel)(const ReluBwdArgs*) noexcept>
Owned relu_bwd_(Tensor dy_in, Tensor y_in) {
  const char* op = "relu_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input y_(op, "y", y_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &y_});
  const ReluBwdCall call(dy_.buffer, y_.buffer);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  const ReluBwdDescriptor desc = call.descriptor();
  const ReluBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, y_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("relu.out(Tensor x, *, Tensor(b!) out) -> ()");
  m.def("relu(Tensor x) -> (Tensor y)");
  m.def("relu_bwd(Tensor dy, Tensor y) -> (Tensor dx)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["relu"] = 0xc315609f345c;
  hashes["relu_bwd"] = 0x3a00e308b7c1;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "relu", ways<&relu_<CpuContext, generated_relu_cpu>>);
  implement(m, CpuContext::platform, "relu.out", ways<&relu_out<CpuContext, generated_relu_cpu>>);
  implement(m, CpuContext::platform, "relu_bwd",
            ways<&relu_bwd_<CpuContext, generated_relu_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "relu", ways<&relu_<CudaContext, generated_relu_cuda>>);
  implement(m, CudaContext::platform, "relu.out",
            ways<&relu_out<CudaContext, generated_relu_cuda>>);
  implement(m, CudaContext::platform, "relu_bwd",
            ways<&relu_bwd_<CudaContext, generated_relu_bwd_cuda>>);
}
#endif
#endif
