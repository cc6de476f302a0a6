// The layouts family in PyTorch, through its stable ABI.
// Rendered by opgen from layouts.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "layouts_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const HeadsFirstArgs*) noexcept>
Owned heads_first_(Tensor x_in, std::string_view order_in, bool wide_in) {
  const char* op = "heads_first";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const HeadsFirstCall call(x_.buffer, order_in, wide_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const HeadsFirstDescriptor desc = call.descriptor();
  const HeadsFirstArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const LastTokenArgs*) noexcept>
Owned last_token_(Tensor x_in, std::optional<Tensor> offsets_in) {
  const char* op = "last_token";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input offsets_(op, "offsets", offsets_in);
  const auto device = opgen::torch::device_of(op, {&x_, &offsets_});
  const LastTokenCall call(x_.buffer, offsets_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const LastTokenDescriptor desc = call.descriptor();
  const LastTokenArgs args{&desc, &ctx, y_.buffer, x_.buffer, offsets_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("heads_first(Tensor x, str order, bool wide=False) -> (Tensor y)");
  m.def("last_token(Tensor x, Tensor\? offsets=None) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["heads_first"] = 0x53b7e4097ba5;
  hashes["last_token"] = 0xbd7c02628c9e;
}
