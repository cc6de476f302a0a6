// The dropout family in PyTorch, through its stable ABI.
// Rendered by opgen from dropout.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "dropout_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const DropoutArgs*) noexcept>
Owned dropout_(Tensor x_in, Tensor seed_in, std::optional<Tensor> offset_in, double p_in) {
  const char* op = "dropout";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input seed_(op, "seed", seed_in);
  const opgen::torch::Input offset_(op, "offset", offset_in);
  const auto device = opgen::torch::device_of(op, {&x_, &seed_, &offset_});
  const DropoutCall call(x_.buffer, seed_.buffer, offset_.buffer, p_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const DropoutDescriptor desc = call.descriptor();
  const DropoutArgs args{&desc, &ctx, y_.buffer, x_.buffer, seed_.buffer, offset_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("dropout(Tensor x, Tensor seed, Tensor\? offset=None, float p=0.5) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["dropout"] = 0x965ced2f0459;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "dropout", ways<&dropout_<CpuContext, generated_dropout_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "dropout",
            ways<&dropout_<CudaContext, generated_dropout_cuda>>);
}
#endif
#endif
