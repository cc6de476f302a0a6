// The conv2d family in PyTorch, through its stable ABI.
// Rendered by opgen from conv2d.toml.
#include "opgen/torch.h"

#include "conv2d_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Conv2dArgs*) noexcept>
Owned conv2d(Tensor x_, Tensor weight_, std::optional<Tensor> bias_,
             opgen::torch::List<int64_t> stride_, opgen::torch::List<int64_t> padding_,
             opgen::torch::List<int64_t> dilation_, int64_t groups_) {
  const char* op = "conv2d";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input bias(op, "bias", bias_);
  const auto device = opgen::torch::device_of(op, {&x, &weight, &bias});
  const Conv2dCall call(x.buffer, weight.buffer, bias.buffer, opgen::torch::sizes(stride_),
                        opgen::torch::sizes(padding_), opgen::torch::sizes(dilation_), groups_);
  const Context ctx(device);
  Output y(call.y(), device);
  const Conv2dDescriptor desc = call.descriptor();
  const Conv2dArgs args{&desc, &ctx, y.buffer, x.buffer, weight.buffer, bias.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y.tensor();
}

template <class Context, opgen::Status (*kernel)(const Conv2dDgradArgs*) noexcept>
Owned conv2d_dgrad(Tensor dy_, Tensor weight_, opgen::torch::List<int64_t> stride_,
                   opgen::torch::List<int64_t> padding_, opgen::torch::List<int64_t> dilation_,
                   int64_t groups_, int64_t h_, int64_t w_) {
  const char* op = "conv2d_dgrad";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&dy, &weight});
  const Conv2dDgradCall call(dy.buffer, weight.buffer, opgen::torch::sizes(stride_),
                             opgen::torch::sizes(padding_), opgen::torch::sizes(dilation_), groups_,
                             h_, w_);
  const Context ctx(device);
  Output dx(call.dx(), device);
  const Conv2dDgradDescriptor desc = call.descriptor();
  const Conv2dDgradArgs args{&desc, &ctx, dx.buffer, dy.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx.tensor();
}

template <class Context, opgen::Status (*kernel)(const Conv2dWgradArgs*) noexcept>
std::tuple<Owned, Owned> conv2d_wgrad(Tensor dy_, Tensor x_, opgen::torch::List<int64_t> stride_,
                                      opgen::torch::List<int64_t> padding_,
                                      opgen::torch::List<int64_t> dilation_, int64_t groups_,
                                      int64_t r_, int64_t s_, int64_t wanted_) {
  const char* op = "conv2d_wgrad";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&dy, &x});
  const Conv2dWgradCall call(dy.buffer, x.buffer, opgen::torch::sizes(stride_),
                             opgen::torch::sizes(padding_), opgen::torch::sizes(dilation_), groups_,
                             r_, s_, wanted_);
  const Context ctx(device);
  auto dweight = call.has_dweight() ? Output(call.dweight(), device) : Output();
  auto dbias = call.has_dbias() ? Output(call.dbias(), device) : Output();
  const Conv2dWgradDescriptor desc = call.descriptor();
  const Conv2dWgradArgs args{&desc, &ctx, dweight.buffer, dbias.buffer, dy.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dweight.tensor(), dbias.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("conv2d(Tensor x, Tensor weight, Tensor\? bias=None, int[] stride=[1, 1], int[] padding=[0, 0], int[] dilation=[1, 1], SymInt groups=1) -> (Tensor y)");
  m.def("conv2d_dgrad(Tensor dy, Tensor weight, int[] stride, int[] padding, int[] dilation, SymInt groups, SymInt h, SymInt w) -> (Tensor dx)");
  m.def("conv2d_wgrad(Tensor dy, Tensor x, int[] stride, int[] padding, int[] dilation, SymInt groups, SymInt r, SymInt s, int wanted=-1) -> (Tensor dweight, Tensor dbias)");
}
