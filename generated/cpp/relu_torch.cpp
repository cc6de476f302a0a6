// The relu family in PyTorch, through its stable ABI.
// Rendered by opgen from relu.toml.
#include "opgen/torch.h"

#include "relu_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const ReluArgs*) noexcept>
Owned relu(Tensor x_) {
  const char* op = "relu";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const ReluCall call(x.buffer);
  const Context ctx(device);
  Output y(call.y(), device);
  const ReluDescriptor desc = call.descriptor();
  const ReluArgs args{&desc, &ctx, y.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

template <class Context, opgen::Status (*kernel)(const ReluArgs*) noexcept>
void relu_out(Tensor x_, Tensor y_) {
  const char* op = "relu";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const ReluCall call(x.buffer);
  const Context ctx(device);
  opgen::torch::Given y(op, "out", y_, call.y(), device);
  opgen::torch::check_overlap(op, {&x, &y});
  const ReluDescriptor desc = call.descriptor();
  const ReluArgs args{&desc, &ctx, y.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  y.finish();
}

template <class Context, opgen::Status (*kernel)(const ReluBwdArgs*) noexcept>
Owned relu_bwd(Tensor dy_, Tensor y_) {
  const char* op = "relu_bwd";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input y(op, "y", y_);
  const auto device = opgen::torch::device_of(op, {&dy, &y});
  const ReluBwdCall call(dy.buffer, y.buffer);
  const Context ctx(device);
  Output dx(call.dx(), device);
  const ReluBwdDescriptor desc = call.descriptor();
  const ReluBwdArgs args{&desc, &ctx, dx.buffer, dy.buffer, y.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("relu(Tensor x) -> (Tensor y)");
  m.def("relu.out(Tensor x, *, Tensor(b!) out) -> ()");
  m.def("relu_bwd(Tensor dy, Tensor y) -> (Tensor dx)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "relu", ways<&relu<CpuContext, generated_relu_cpu>>);
  implement(m, CpuContext::platform, "relu.out", ways<&relu_out<CpuContext, generated_relu_cpu>>);
  implement(m, CpuContext::platform, "relu_bwd",
            ways<&relu_bwd<CpuContext, generated_relu_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "relu", ways<&relu<CudaContext, generated_relu_cuda>>);
  implement(m, CudaContext::platform, "relu.out",
            ways<&relu_out<CudaContext, generated_relu_cuda>>);
  implement(m, CudaContext::platform, "relu_bwd",
            ways<&relu_bwd<CudaContext, generated_relu_bwd_cuda>>);
}
#endif
