// The parts family in PyTorch, through its stable ABI.
// Rendered by opgen from parts.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "parts_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const ColumnTotalsArgs*) noexcept>
std::tuple<Owned, Owned> column_totals_(Tensor x_in, int64_t parts_in) {
  const char* op = "column_totals";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const ColumnTotalsCall call(x_.buffer, parts_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output sums_(call.sums_(), device);
  const ColumnTotalsDescriptor desc = call.descriptor();
  const ColumnTotalsArgs args{&desc, &ctx, y_.buffer, sums_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), sums_.tensor()};
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("column_totals(Tensor x, SymInt parts) -> (Tensor y, Tensor sums)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["column_totals"] = 0x97402f70af07;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "column_totals",
            ways<&column_totals_<CpuContext, language_ops_column_totals_cpu>>);
}
#endif
