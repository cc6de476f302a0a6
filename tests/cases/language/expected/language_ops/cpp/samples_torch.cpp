// The samples family in PyTorch, through its stable ABI.
// Rendered by opgen from samples.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "samples_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const SwapBytesArgs*) noexcept>
Owned swap_bytes_(Tensor x_in) {
  const char* op = "swap_bytes";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const SwapBytesCall call(x_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const SwapBytesDescriptor desc = call.descriptor();
  const SwapBytesArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("swap_bytes(Tensor x) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["swap_bytes"] = 0x6069f464351d;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "swap_bytes",
            ways<&swap_bytes_<CpuContext, language_ops_swap_bytes_cpu>>);
}
#endif
