// The bins family in PyTorch, through its stable ABI.
// Rendered by opgen from bins.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"
#include "opgen/torch_reference.h"

#include "bins_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const BinSumsArgs*) noexcept,
          opgen::WorkspaceOf<BinSumsDescriptor>* workspace>
std::tuple<Owned, Owned> bin_sums_(Tensor x_in, Tensor bin_in, int64_t bins_in) {
  const char* op = "bin_sums";
  opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input bin_(op, "bin", bin_in);
  x_.align(op, 16);
  const auto device = opgen::torch::device_of(op, {&x_, &bin_});
  const BinSumsCall call(x_.buffer, bin_.buffer, bins_in);
  Context ctx(device);
  if (!call.unmet(Context::platform).empty()) {
    return opgen::torch::reference<std::tuple<Owned, Owned>>("language_ops::bin_sums", x_in, bin_in,
                                                             bins_in);
  }
  Output sums_(call.sums_(), device);
  Output counts_(call.counts_(), device);
  const BinSumsDescriptor desc = call.descriptor();
  const int64_t bytes = workspace == nullptr ? 0 : workspace(&desc, ctx.properties());
  const Output memory(opgen::scratch(op, bytes), device);
  ctx.use(memory.buffer);
  ctx.fill(counts_.buffer, call.counts_init());
  const BinSumsArgs args{&desc, &ctx, sums_.buffer, counts_.buffer, x_.buffer, bin_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {sums_.tensor(), counts_.tensor()};
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("bin_sums(Tensor x, Tensor bin, SymInt bins) -> (Tensor sums, Tensor counts)");
  m.def("bin_sums.reference(Tensor x, Tensor bin, SymInt bins) -> (Tensor sums, Tensor counts)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["bin_sums"] = 0x46eb9c313033;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(
      m, CpuContext::platform, "bin_sums",
      ways<&bin_sums_<CpuContext, language_ops_bin_sums_cpu, language_ops_bin_sums_cpu_workspace>>);
}
#endif
