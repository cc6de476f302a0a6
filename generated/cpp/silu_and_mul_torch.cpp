// The silu_and_mul family in PyTorch, through its stable ABI.
// Rendered by opgen from silu_and_mul.toml.
#include "opgen/torch.h"

#include "silu_and_mul_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const SiluAndMulArgs*) noexcept>
Owned silu_and_mul(Tensor x_) {
  const char* op = "silu_and_mul";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const SiluAndMulCall call(x.buffer);
  const Context ctx(device);
  Output y(call.y(), device);
  const SiluAndMulDescriptor desc = call.descriptor();
  const SiluAndMulArgs args{&desc, &ctx, y.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

template <class Context, opgen::Status (*kernel)(const SiluAndMulArgs*) noexcept>
void silu_and_mul_out(Tensor x_, Tensor y_) {
  const char* op = "silu_and_mul";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const SiluAndMulCall call(x.buffer);
  const Context ctx(device);
  opgen::torch::Given y(op, "out", y_, call.y(), device);
  opgen::torch::check_overlap(op, {&x, &y});
  const SiluAndMulDescriptor desc = call.descriptor();
  const SiluAndMulArgs args{&desc, &ctx, y.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  y.finish();
}

template <class Context, opgen::Status (*kernel)(const SiluAndMulBwdArgs*) noexcept>
Owned silu_and_mul_bwd(Tensor dy_, Tensor x_) {
  const char* op = "silu_and_mul_bwd";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&dy, &x});
  const SiluAndMulBwdCall call(dy.buffer, x.buffer);
  const Context ctx(device);
  Output dx(call.dx(), device);
  const SiluAndMulBwdDescriptor desc = call.descriptor();
  const SiluAndMulBwdArgs args{&desc, &ctx, dx.buffer, dy.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("silu_and_mul(Tensor x) -> (Tensor y)");
  m.def("silu_and_mul.out(Tensor x, *, Tensor(b!) out) -> ()");
  m.def("silu_and_mul_bwd(Tensor dy, Tensor x) -> (Tensor dx)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "silu_and_mul",
            ways<&silu_and_mul<CpuContext, generated_silu_and_mul_cpu>>);
  implement(m, CpuContext::platform, "silu_and_mul.out",
            ways<&silu_and_mul_out<CpuContext, generated_silu_and_mul_cpu>>);
  implement(m, CpuContext::platform, "silu_and_mul_bwd",
            ways<&silu_and_mul_bwd<CpuContext, generated_silu_and_mul_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "silu_and_mul",
            ways<&silu_and_mul<CudaContext, generated_silu_and_mul_cuda>>);
  implement(m, CudaContext::platform, "silu_and_mul.out",
            ways<&silu_and_mul_out<CudaContext, generated_silu_and_mul_cuda>>);
  implement(m, CudaContext::platform, "silu_and_mul_bwd",
            ways<&silu_and_mul_bwd<CudaContext, generated_silu_and_mul_bwd_cuda>>);
}
#endif
