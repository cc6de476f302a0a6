// The rms_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from rms_norm.toml.
#include "opgen/torch.h"

#include "rms_norm_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const RmsNormArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm(Tensor x_, Tensor weight_, double eps_) {
  const char* op = "rms_norm";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&x, &weight});
  const RmsNormCall call(x.buffer, weight.buffer, eps_);
  const Context ctx(device);
  Output y(call.y(), device);
  Output invvar(call.invvar(), device);
  const RmsNormDescriptor desc = call.descriptor();
  const RmsNormArgs args{&desc, &ctx, y.buffer, invvar.buffer, x.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), invvar.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsNormBwdArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_bwd(Tensor dy_, Tensor invvar_, Tensor x_, Tensor weight_,
                                      double eps_) {
  const char* op = "rms_norm_bwd";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input invvar(op, "invvar", invvar_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&dy, &invvar, &x, &weight});
  const RmsNormBwdCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer, eps_);
  const Context ctx(device);
  Output dx(call.dx(), device);
  Output dweight(call.dweight(), device);
  const Output part_grad(call.part_grad(), device);
  const RmsNormBwdDescriptor desc = call.descriptor();
  const RmsNormBwdArgs args{&desc, &ctx, dx.buffer, dweight.buffer, part_grad.buffer, dy.buffer,
                            invvar.buffer, x.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx.tensor(), dweight.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsNormSquaresArgs*) noexcept>
Owned rms_norm_squares(Tensor x_, opgen::torch::List<int64_t> norm_) {
  const char* op = "rms_norm_squares";
  const opgen::torch::Input x(op, "x", x_);
  const auto device = opgen::torch::device_of(op, {&x});
  const RmsNormSquaresCall call(x.buffer, opgen::torch::sizes(norm_));
  const Context ctx(device);
  Output squares(call.squares(), device);
  const RmsNormSquaresDescriptor desc = call.descriptor();
  const RmsNormSquaresArgs args{&desc, &ctx, squares.buffer, x.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return squares.tensor();
}

template <class Context, opgen::Status (*kernel)(const RmsNormScaleArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_scale(Tensor x_, Tensor weight_, Tensor squares_, double eps_) {
  const char* op = "rms_norm_scale";
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input squares(op, "squares", squares_);
  const auto device = opgen::torch::device_of(op, {&x, &weight, &squares});
  const RmsNormScaleCall call(x.buffer, weight.buffer, squares.buffer, eps_);
  const Context ctx(device);
  Output y(call.y(), device);
  Output invvar(call.invvar(), device);
  const RmsNormScaleDescriptor desc = call.descriptor();
  const RmsNormScaleArgs args{&desc, &ctx, y.buffer, invvar.buffer, x.buffer, weight.buffer,
                              squares.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y.tensor(), invvar.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsNormBwdProductsArgs*) noexcept>
Owned rms_norm_bwd_products(Tensor dy_, Tensor invvar_, Tensor x_, Tensor weight_) {
  const char* op = "rms_norm_bwd_products";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input invvar(op, "invvar", invvar_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const auto device = opgen::torch::device_of(op, {&dy, &invvar, &x, &weight});
  const RmsNormBwdProductsCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer);
  const Context ctx(device);
  Output products(call.products(), device);
  const RmsNormBwdProductsDescriptor desc = call.descriptor();
  const RmsNormBwdProductsArgs args{&desc, &ctx, products.buffer, dy.buffer, invvar.buffer,
                                    x.buffer, weight.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return products.tensor();
}

template <class Context, opgen::Status (*kernel)(const RmsNormBwdApplyArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_bwd_apply(Tensor dy_, Tensor invvar_, Tensor x_, Tensor weight_,
                                            Tensor products_) {
  const char* op = "rms_norm_bwd_apply";
  const opgen::torch::Input dy(op, "dy", dy_);
  const opgen::torch::Input invvar(op, "invvar", invvar_);
  const opgen::torch::Input x(op, "x", x_);
  const opgen::torch::Input weight(op, "weight", weight_);
  const opgen::torch::Input products(op, "products", products_);
  const auto device = opgen::torch::device_of(op, {&dy, &invvar, &x, &weight, &products});
  const RmsNormBwdApplyCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer,
                                 products.buffer);
  const Context ctx(device);
  Output dx(call.dx(), device);
  Output dweight(call.dweight(), device);
  const Output part_grad(call.part_grad(), device);
  const RmsNormBwdApplyDescriptor desc = call.descriptor();
  const RmsNormBwdApplyArgs args{&desc, &ctx, dx.buffer, dweight.buffer, part_grad.buffer,
                                 dy.buffer, invvar.buffer, x.buffer, weight.buffer,
                                 products.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx.tensor(), dweight.tensor()};
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("rms_norm(Tensor x, Tensor weight, float eps=1e-05) -> (Tensor y, Tensor invvar)");
  m.def("rms_norm_bwd(Tensor dy, Tensor invvar, Tensor x, Tensor weight, float eps=1e-05) -> (Tensor dx, Tensor dweight)");
  m.def("rms_norm_squares(Tensor x, SymInt[] norm) -> (Tensor squares)");
  m.def("rms_norm_scale(Tensor x, Tensor weight, Tensor squares, float eps=1e-05) -> (Tensor y, Tensor invvar)");
  m.def("rms_norm_bwd_products(Tensor dy, Tensor invvar, Tensor x, Tensor weight) -> (Tensor products)");
  m.def("rms_norm_bwd_apply(Tensor dy, Tensor invvar, Tensor x, Tensor weight, Tensor products) -> (Tensor dx, Tensor dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "rms_norm",
            ways<&rms_norm<CpuContext, generated_rms_norm_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_bwd",
            ways<&rms_norm_bwd<CpuContext, generated_rms_norm_bwd_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_squares",
            ways<&rms_norm_squares<CpuContext, generated_rms_norm_squares_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_scale",
            ways<&rms_norm_scale<CpuContext, generated_rms_norm_scale_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_bwd_products",
            ways<&rms_norm_bwd_products<CpuContext, generated_rms_norm_bwd_products_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_bwd_apply",
            ways<&rms_norm_bwd_apply<CpuContext, generated_rms_norm_bwd_apply_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "rms_norm",
            ways<&rms_norm<CudaContext, generated_rms_norm_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_bwd",
            ways<&rms_norm_bwd<CudaContext, generated_rms_norm_bwd_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_squares",
            ways<&rms_norm_squares<CudaContext, generated_rms_norm_squares_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_scale",
            ways<&rms_norm_scale<CudaContext, generated_rms_norm_scale_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_bwd_products",
            ways<&rms_norm_bwd_products<CudaContext, generated_rms_norm_bwd_products_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_bwd_apply",
            ways<&rms_norm_bwd_apply<CudaContext, generated_rms_norm_bwd_apply_cuda>>);
}
#endif
