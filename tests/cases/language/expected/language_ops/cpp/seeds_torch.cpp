// The seeds family in PyTorch, through its stable ABI.
// Rendered by opgen from seeds.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "seeds_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const MaskedArgs*) noexcept>
Owned masked_(Tensor x_in, Tensor seed_in, double p_in) {
  const char* op = "masked";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input seed_(op, "seed", seed_in);
  const auto device = opgen::torch::device_of(op, {&x_, &seed_});
  const MaskedCall call(x_.buffer, seed_.buffer, p_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const MaskedDescriptor desc = call.descriptor();
  const MaskedArgs args{&desc, &ctx, y_.buffer, x_.buffer, seed_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("masked(Tensor x, Tensor seed, float p=0.5) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["masked"] = 0xf35c55daf6c9;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "masked", ways<&masked_<CpuContext, language_ops_masked_cpu>>);
}
#endif
