// The rms_norm family in PyTorch, through its stable ABI.
// Rendered by opgen from rms_norm.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "rms_norm_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const RmsNormArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_(Tensor x_in, Tensor weight_in, double eps_in) {
  const char* op = "rms_norm";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_});
  const RmsNormCall call(x_.buffer, weight_.buffer, eps_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output invvar_(call.invvar_(), device);
  const RmsNormDescriptor desc = call.descriptor();
  const RmsNormArgs args{&desc, &ctx, y_.buffer, invvar_.buffer, x_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), invvar_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsNormBwdArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_bwd_(Tensor dy_in, Tensor invvar_in, Tensor x_in,
                                       Tensor weight_in, double eps_in) {
  const char* op = "rms_norm_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input invvar_(op, "invvar", invvar_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &invvar_, &x_, &weight_});
  const RmsNormBwdCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer, eps_in);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  Output dweight_(call.dweight_(), device);
  const Output part_grad_(call.part_grad_(), device);
  const RmsNormBwdDescriptor desc = call.descriptor();
  const RmsNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer, dy_.buffer,
                            invvar_.buffer, x_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx_.tensor(), dweight_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsNormSquaresArgs*) noexcept>
Owned rms_norm_squares_(Tensor x_in, opgen::torch::List<int64_t> norm_in) {
  const char* op = "rms_norm_squares";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const RmsNormSquaresCall call(x_.buffer, opgen::torch::sizes(norm_in));
  const Context ctx(device);
  Output squares_(call.squares_(), device);
  const RmsNormSquaresDescriptor desc = call.descriptor();
  const RmsNormSquaresArgs args{&desc, &ctx, squares_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return squares_.tensor();
}

template <class Context, opgen::Status (*kernel)(const RmsNormScaleArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_scale_(Tensor x_in, Tensor weight_in, Tensor squares_in,
                                         double eps_in) {
  const char* op = "rms_norm_scale";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input squares_(op, "squares", squares_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_, &squares_});
  const RmsNormScaleCall call(x_.buffer, weight_.buffer, squares_.buffer, eps_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  Output invvar_(call.invvar_(), device);
  const RmsNormScaleDescriptor desc = call.descriptor();
  const RmsNormScaleArgs args{&desc, &ctx, y_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                              squares_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {y_.tensor(), invvar_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const RmsNormBwdProductsArgs*) noexcept>
Owned rms_norm_bwd_products_(Tensor dy_in, Tensor invvar_in, Tensor x_in, Tensor weight_in) {
  const char* op = "rms_norm_bwd_products";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input invvar_(op, "invvar", invvar_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &invvar_, &x_, &weight_});
  const RmsNormBwdProductsCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer);
  const Context ctx(device);
  Output products_(call.products_(), device);
  const RmsNormBwdProductsDescriptor desc = call.descriptor();
  const RmsNormBwdProductsArgs args{&desc, &ctx, products_.buffer, dy_.buffer, invvar_.buffer,
                                    x_.buffer, weight_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return products_.tensor();
}

template <class Context, opgen::Status (*kernel)(const RmsNormBwdApplyArgs*) noexcept>
std::tuple<Owned, Owned> rms_norm_bwd_apply_(Tensor dy_in, Tensor invvar_in, Tensor x_in,
                                             Tensor weight_in, Tensor products_in) {
  const char* op = "rms_norm_bwd_apply";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input invvar_(op, "invvar", invvar_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input products_(op, "products", products_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &invvar_, &x_, &weight_, &products_});
  const RmsNormBwdApplyCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                 products_.buffer);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  Output dweight_(call.dweight_(), device);
  const Output part_grad_(call.part_grad_(), device);
  const RmsNormBwdApplyDescriptor desc = call.descriptor();
  const RmsNormBwdApplyArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                 dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                 products_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dx_.tensor(), dweight_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("rms_norm(Tensor x, Tensor weight, float eps=1e-05) -> (Tensor y, Tensor invvar)");
  m.def("rms_norm_bwd(Tensor dy, Tensor invvar, Tensor x, Tensor weight, float eps=1e-05) -> (Tensor dx, Tensor dweight)");
  m.def("rms_norm_squares(Tensor x, SymInt[] norm) -> (Tensor squares)");
  m.def("rms_norm_scale(Tensor x, Tensor weight, Tensor squares, float eps=1e-05) -> (Tensor y, Tensor invvar)");
  m.def("rms_norm_bwd_products(Tensor dy, Tensor invvar, Tensor x, Tensor weight) -> (Tensor products)");
  m.def("rms_norm_bwd_apply(Tensor dy, Tensor invvar, Tensor x, Tensor weight, Tensor products) -> (Tensor dx, Tensor dweight)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["rms_norm"] = 0x76b58e2008b2;
  hashes["rms_norm_bwd"] = 0x750cf41eb976;
  hashes["rms_norm_squares"] = 0xe17b3b94c4a9;
  hashes["rms_norm_scale"] = 0xbd0c905bfee0;
  hashes["rms_norm_bwd_products"] = 0xad2c06c05493;
  hashes["rms_norm_bwd_apply"] = 0x9f24b09559f8;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "rms_norm",
            ways<&rms_norm_<CpuContext, generated_rms_norm_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_bwd",
            ways<&rms_norm_bwd_<CpuContext, generated_rms_norm_bwd_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_squares",
            ways<&rms_norm_squares_<CpuContext, generated_rms_norm_squares_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_scale",
            ways<&rms_norm_scale_<CpuContext, generated_rms_norm_scale_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_bwd_products",
            ways<&rms_norm_bwd_products_<CpuContext, generated_rms_norm_bwd_products_cpu>>);
  implement(m, CpuContext::platform, "rms_norm_bwd_apply",
            ways<&rms_norm_bwd_apply_<CpuContext, generated_rms_norm_bwd_apply_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "rms_norm",
            ways<&rms_norm_<CudaContext, generated_rms_norm_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_bwd",
            ways<&rms_norm_bwd_<CudaContext, generated_rms_norm_bwd_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_squares",
            ways<&rms_norm_squares_<CudaContext, generated_rms_norm_squares_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_scale",
            ways<&rms_norm_scale_<CudaContext, generated_rms_norm_scale_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_bwd_products",
            ways<&rms_norm_bwd_products_<CudaContext, generated_rms_norm_bwd_products_cuda>>);
  implement(m, CudaContext::platform, "rms_norm_bwd_apply",
            ways<&rms_norm_bwd_apply_<CudaContext, generated_rms_norm_bwd_apply_cuda>>);
}
#endif
#endif
