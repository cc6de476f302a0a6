// The options family in PyTorch, through its stable ABI.
// Rendered by opgen from options.toml.
#include "opgen/torch.h"

#include "options_call.h"

namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const SquashArgs*) noexcept>
Owned squash(Tensor x_, Tensor gain_, std::optional<Tensor> bias_, std::string_view by_,
             std::optional<double> scale_) {
  const char* op = "squash";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input gain(op, "gain", gain_);
  const opgen::torch::Input bias(op, "bias", bias_);
  const auto device = opgen::torch::device_of(op, {&x, &gain, &bias});
  const SquashCall call(x.buffer, gain.buffer, bias.buffer, by_, scale_);
  const Context ctx(device);
  Output y(call.y(), device);
  const SquashDescriptor desc = call.descriptor();
  const SquashArgs args{&desc, &ctx, y.buffer, x.buffer, gain.buffer, bias.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

template <class Context, opgen::Status (*kernel)(const PolynomialArgs*) noexcept>
Owned polynomial(Tensor x_, opgen::torch::List<double> coefficients_) {
  const char* op = "polynomial";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const PolynomialCall call(x.buffer, opgen::torch::floats(coefficients_));
  const Context ctx(device);
  Output y(call.y(), device);
  const PolynomialDescriptor desc = call.descriptor();
  const PolynomialArgs args{&desc, &ctx, y.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

}  // namespace
}  // namespace language_ops

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  m.def("squash(Tensor x, Tensor gain, Tensor\? bias=None, str by=\"tanh\", float\? scale=None) -> (Tensor y)");
  m.def("polynomial(Tensor x, float[] coefficients) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "polynomial",
            ways<&polynomial<CpuContext, language_ops_polynomial_cpu>>);
}
