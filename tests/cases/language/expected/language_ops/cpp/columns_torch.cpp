// The columns family in PyTorch, through its stable ABI.
// Rendered by opgen from columns.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "columns_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const ColumnSumsArgs*) noexcept>
Owned column_sums_(Tensor x_in) {
  const char* op = "column_sums";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const ColumnSumsCall call(x_.buffer);
  const Context ctx(device);
  Output sums_(call.sums_(), device);
  const ColumnSumsDescriptor desc = call.descriptor();
  const ColumnSumsArgs args{&desc, &ctx, sums_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return sums_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("column_sums(Tensor x) -> (Tensor sums)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["column_sums"] = 0x10d82c55c73f;
}
