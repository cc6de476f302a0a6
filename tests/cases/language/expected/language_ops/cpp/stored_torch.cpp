// The stored family in PyTorch, through its stable ABI.
// Rendered by opgen from stored.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "stored_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const ScaledArgs*) noexcept>
Owned scaled_(Tensor x_in, Tensor weight_in, std::optional<Tensor> scale_in,
              std::string_view mode_in) {
  const char* op = "scaled";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input scale_(op, "scale", scale_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_, &scale_});
  const ScaledCall call(x_.buffer, weight_.buffer, scale_.buffer, mode_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const ScaledDescriptor desc = call.descriptor();
  const ScaledArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, scale_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const StorableArgs*) noexcept>
Owned storable_(Tensor weight_in, std::optional<Tensor> scale_in, std::string_view mode_in) {
  const char* op = "storable";
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input scale_(op, "scale", scale_in);
  const auto device = opgen::torch::device_of(op, {&weight_, &scale_});
  const StorableCall call(weight_.buffer, scale_.buffer, mode_in);
  const Context ctx(device);
  Output stored_(call.stored_(), device);
  const StorableDescriptor desc = call.descriptor();
  const StorableArgs args{&desc, &ctx, stored_.buffer, weight_.buffer, scale_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return stored_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("scaled(Tensor x, Tensor weight, Tensor\? scale=None, str mode=\"whole\") -> (Tensor y)");
  m.def("storable(Tensor weight, Tensor\? scale=None, str mode=\"whole\") -> (Tensor stored)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["scaled"] = 0x5cbbd62fd9d6;
  hashes["storable"] = 0x2ddd83a15c23;
}
