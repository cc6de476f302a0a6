// The tensor_add family in PyTorch, through its stable ABI.
// Rendered by opgen from tensor_add.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "tensor_add_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const TensorAddArgs*) noexcept>
Owned tensor_add_(Tensor a_in, Tensor b_in) {
  const char* op = "tensor_add";
  const opgen::torch::Input a_(op, "a", a_in);
  const opgen::torch::Input b_(op, "b", b_in);
  const auto device = opgen::torch::device_of(op, {&a_, &b_});
  const TensorAddCall call(a_.buffer, b_.buffer);
  Context ctx(device);
  Output c_(call.c_(), device);
  const TensorAddDescriptor desc = call.descriptor();
  ctx.start(call.launch(Context::platform));
  const TensorAddArgs args{&desc, &ctx, c_.buffer, a_.buffer, b_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return c_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("tensor_add(Tensor a, Tensor b) -> (Tensor c)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["tensor_add"] = 0x5e1dc20cb8bf;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "tensor_add",
            ways<&tensor_add_<CpuContext, generated_tensor_add_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "tensor_add",
            ways<&tensor_add_<CudaContext, generated_tensor_add_cuda>>);
}
#endif
#endif
