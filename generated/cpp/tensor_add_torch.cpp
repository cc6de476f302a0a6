// The tensor_add family in PyTorch, through its stable ABI.
// Rendered by opgen from tensor_add.toml.
#include "opgen/torch.h"

#include "tensor_add_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const TensorAddArgs*) noexcept>
Owned tensor_add(Tensor a_, Tensor b_) {
  const char* op = "tensor_add";
  const opgen::torch::Input a(op, "a", a_);
  const opgen::torch::Input b(op, "b", b_);
  const auto device = opgen::torch::device_of(op, {&a, &b});
  const TensorAddCall call(a.buffer, b.buffer);
  Context ctx(device);
  Output c(call.c(), device);
  const TensorAddDescriptor desc = call.descriptor();
  ctx.start(call.launch(Context::platform));
  const TensorAddArgs args{&desc, &ctx, c.buffer, a.buffer, b.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return c.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("tensor_add(Tensor a, Tensor b) -> (Tensor c)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "tensor_add",
            ways<&tensor_add<CpuContext, generated_tensor_add_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "tensor_add",
            ways<&tensor_add<CudaContext, generated_tensor_add_cuda>>);
}
#endif
