// The tensor_negate family in PyTorch, through its stable ABI.
// Rendered by opgen from tensor_negate.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "tensor_negate_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const TensorNegateArgs*) noexcept>
Owned tensor_negate_(Tensor x_in) {
  const char* op = "tensor_negate";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const TensorNegateCall call(x_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const TensorNegateDescriptor desc = call.descriptor();
  const TensorNegateArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("tensor_negate(Tensor x) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["tensor_negate"] = 0x5694dbe8e755;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "tensor_negate",
            ways<&tensor_negate_<CpuContext, generated_tensor_negate_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "tensor_negate",
            ways<&tensor_negate_<CudaContext, generated_tensor_negate_cuda>>);
}
#endif
#endif
