// The choices family in PyTorch, through its stable ABI.
// Rendered by opgen from choices.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"
#include "opgen/torch_deterministic.h"
#include "opgen/torch_range.h"

#include "choices_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const RowSumsArgs*) noexcept,
          opgen::Kernels<RowSumsArgs>& kernels>
Owned row_sums_(Tensor x_in) {
  const char* op = "row_sums";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const RowSumsCall call(x_.buffer);
  Context ctx(device);
  ctx.kernel = opgen::torch::choose(
      op, kernels, [&] { return call.kernel(Context::platform); },
      [&](const auto& takes) {
        const RowSumsDescriptor desc = call.descriptor();
        const RowSumsArgs args{&desc, &ctx, {}, x_.buffer};
        return takes(&args);
      },
      [&](int32_t each) { return call.unmet(Context::platform, each); });
  if (kernels.unsure(ctx.kernel)) {
    opgen::takes(op, ctx.kernel, call.unmet(Context::platform, ctx.kernel), kernels.asked());
  }
  Output y_(call.y_(), device);
  const RowSumsDescriptor desc = call.descriptor();
  const opgen::torch::Range range(op, kernels, ctx.kernel);
  const RowSumsArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("row_sums(Tensor x) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["row_sums"] = 0x3b179a685452;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(
      m, CpuContext::platform, "row_sums",
      ways<&row_sums_<CpuContext, language_ops_row_sums_cpu, language_ops_row_sums_cpu_kernels>>);
}
#endif
