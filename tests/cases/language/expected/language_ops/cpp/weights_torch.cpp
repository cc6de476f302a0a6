// The weights family in PyTorch, through its stable ABI.
// Rendered by opgen from weights.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "weights_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const LinearArgs*) noexcept>
Owned linear_(Tensor x_in, Tensor w_data_in, Tensor w_scale_in, std::optional<Tensor> w_zero_in) {
  const char* op = "linear";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input w_data_(op, "w_data", w_data_in);
  const opgen::torch::Input w_scale_(op, "w_scale", w_scale_in);
  const opgen::torch::Input w_zero_(op, "w_zero", w_zero_in);
  const auto device = opgen::torch::device_of(op, {&x_, &w_data_, &w_scale_, &w_zero_});
  const LinearCall call(x_.buffer, w_data_.buffer, w_scale_.buffer, w_zero_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const LinearDescriptor desc = call.descriptor();
  const LinearArgs args{&desc, &ctx, y_.buffer, x_.buffer, w_data_.buffer, w_scale_.buffer,
                        w_zero_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const LinearBwdArgs*) noexcept>
std::tuple<Owned, Owned> linear_bwd_(Tensor dy_in, Tensor x_in, Tensor w_data_in, Tensor w_scale_in,
                                     std::optional<Tensor> w_zero_in) {
  const char* op = "linear_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input w_data_(op, "w_data", w_data_in);
  const opgen::torch::Input w_scale_(op, "w_scale", w_scale_in);
  const opgen::torch::Input w_zero_(op, "w_zero", w_zero_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_, &w_data_, &w_scale_, &w_zero_});
  const LinearBwdCall call(dy_.buffer, x_.buffer, w_data_.buffer, w_scale_.buffer, w_zero_.buffer);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  Output dw_scale_(call.dw_scale_(), device);
  const LinearBwdDescriptor desc = call.descriptor();
  const LinearBwdArgs args{&desc, &ctx, dx_.buffer, dw_scale_.buffer, dy_.buffer, x_.buffer,
                           w_data_.buffer, w_scale_.buffer, w_zero_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx_.tensor(), dw_scale_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const TransposedQuantizeArgs*) noexcept>
std::tuple<Owned, Owned> transposed_quantize_(Tensor x_in) {
  const char* op = "transposed_quantize";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const TransposedQuantizeCall call(x_.buffer);
  const Context ctx(device);
  Output q_data_(call.q_data_(), device);
  Output q_scale_(call.q_scale_(), device);
  const TransposedQuantizeDescriptor desc = call.descriptor();
  const TransposedQuantizeArgs args{&desc, &ctx, q_data_.buffer, q_scale_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {q_data_.tensor(), q_scale_.tensor()};
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("linear(Tensor x, Tensor w_data, Tensor w_scale, Tensor\? w_zero=None) -> (Tensor y)");
  m.def("linear_bwd(Tensor dy, Tensor x, Tensor w_data, Tensor w_scale, Tensor\? w_zero=None) -> (Tensor dx, Tensor dw_scale)");
  m.def("transposed_quantize(Tensor x) -> (Tensor q_data, Tensor q_scale)");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["linear"] = 0x94d1106f279b;
  hashes["linear_bwd"] = 0x10c2044dec39;
  hashes["transposed_quantize"] = 0xc8b06d443092;
}
