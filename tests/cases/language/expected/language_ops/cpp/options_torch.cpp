// The options family in PyTorch, through its stable ABI.
// Rendered by opgen from options.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "options_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const SquashArgs*) noexcept>
Owned squash_(Tensor x_in, Tensor gain_in, std::optional<Tensor> bias_in, std::string_view by_in,
              std::optional<double> scale_in) {
  const char* op = "squash";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input gain_(op, "gain", gain_in);
  const opgen::torch::Input bias_(op, "bias", bias_in);
  const auto device = opgen::torch::device_of(op, {&x_, &gain_, &bias_});
  const SquashCall call(x_.buffer, gain_.buffer, bias_.buffer, by_in, scale_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const SquashDescriptor desc = call.descriptor();
  const SquashArgs args{&desc, &ctx, y_.buffer, x_.buffer, gain_.buffer, bias_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const PolynomialArgs*) noexcept>
Owned polynomial_(Tensor x_in, opgen::torch::List<double> coefficients_in) {
  const char* op = "polynomial";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const PolynomialCall call(x_.buffer, opgen::torch::floats(coefficients_in));
  const Context ctx(device);
  Output y_(call.y_(), device);
  const PolynomialDescriptor desc = call.descriptor();
  const PolynomialArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const MovedArgs*) noexcept>
Owned moved_(Tensor x_in, std::optional<Tensor> by_in) {
  const char* op = "moved";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input by_(op, "by", by_in);
  const auto device = opgen::torch::device_of(op, {&x_, &by_});
  const MovedCall call(x_.buffer, by_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const MovedDescriptor desc = call.descriptor();
  const MovedArgs args{&desc, &ctx, y_.buffer, x_.buffer, by_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("squash(Tensor x, Tensor gain, Tensor\? bias=None, str by=\"tanh\", float\? scale=None) -> (Tensor y)");
  m.def("polynomial(Tensor x, float[] coefficients) -> (Tensor y)");
  m.def("moved(Tensor x, Tensor\? by=None) -> (Tensor y)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["squash"] = 0xdb0040a5668c;
  hashes["polynomial"] = 0x0861674b79cf;
  hashes["moved"] = 0xf2ffd683e8fd;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "polynomial",
            ways<&polynomial_<CpuContext, language_ops_polynomial_cpu>>);
}
#endif
