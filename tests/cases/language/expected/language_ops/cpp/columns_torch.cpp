// The columns family in PyTorch, through its stable ABI.
// Rendered by opgen from columns.toml.
#include "opgen/torch.h"

#include "columns_call.h"

namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const ColumnSumsArgs*) noexcept>
Owned column_sums(Tensor x_) {
  const char* op = "column_sums";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const ColumnSumsCall call(x.buffer);
  const Context ctx(device);
  Output sums(call.sums(), device);
  const ColumnSumsDescriptor desc = call.descriptor();
  const ColumnSumsArgs args{&desc, &ctx, sums.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return sums.tensor();
}

}  // namespace
}  // namespace language_ops

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  m.def("column_sums(Tensor x) -> (Tensor sums)");
}
