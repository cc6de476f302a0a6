// The tensor_negate family in PyTorch, through its stable ABI.
// Rendered by opgen from tensor_negate.toml.
#include "opgen/torch.h"

#include "tensor_negate_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const TensorNegateArgs*) noexcept>
Owned tensor_negate(Tensor x_) {
  const char* op = "tensor_negate";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const TensorNegateCall call(x.buffer);
  const Context ctx(device);
  Output y(call.y(), device);
  const TensorNegateDescriptor desc = call.descriptor();
  const TensorNegateArgs args{&desc, &ctx, y.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("tensor_negate(Tensor x) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "tensor_negate",
            ways<&tensor_negate<CpuContext, generated_tensor_negate_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "tensor_negate",
            ways<&tensor_negate<CudaContext, generated_tensor_negate_cuda>>);
}
#endif
