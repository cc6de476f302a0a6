// The dropout family in PyTorch, through its stable ABI.
// Rendered by opgen from dropout.toml.
#include "opgen/torch.h"

#include "dropout_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const DropoutArgs*) noexcept>
Owned dropout(Tensor x_, Tensor seed_, Tensor offset_, double p_) {
  const char* op = "dropout";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input seed(op, "seed", seed_);
  const opgen::torch::Input offset(op, "offset", offset_);
  const auto device = opgen::torch::device_of(op, {&x, &seed, &offset});
  const DropoutCall call(x.buffer, seed.buffer, offset.buffer, p_);
  const Context ctx(device);
  Output y(call.y(), device);
  const DropoutDescriptor desc = call.descriptor();
  const DropoutArgs args{&desc, &ctx, y.buffer, x.buffer, seed.buffer, offset.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("dropout(Tensor x, Tensor seed, Tensor offset, float p=0.5) -> (Tensor y)");
}
