// The layouts family in PyTorch, through its stable ABI.
// Rendered by opgen from layouts.toml.
#include "opgen/torch.h"

#include "layouts_call.h"

namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const HeadsFirstArgs*) noexcept>
Owned heads_first(Tensor x_, std::string_view order_, bool wide_) {
  const char* op = "heads_first";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const HeadsFirstCall call(x.buffer, order_, wide_);
  const Context ctx(device);
  Output y(call.y(), device);
  const HeadsFirstDescriptor desc = call.descriptor();
  const HeadsFirstArgs args{&desc, &ctx, y.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

}  // namespace
}  // namespace language_ops

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  m.def("heads_first(Tensor x, str order, bool wide=False) -> (Tensor y)");
}
