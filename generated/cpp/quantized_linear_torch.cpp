// The quantized_linear family in PyTorch, through its stable ABI.
// Rendered by opgen from quantized_linear.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "quantized_linear_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Int8LinearArgs*) noexcept>
Owned int8_linear_(Tensor x_in, Tensor weight_in, Tensor scale_in) {
  const char* op = "int8_linear";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input scale_(op, "scale", scale_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_, &scale_});
  const Int8LinearCall call(x_.buffer, weight_.buffer, scale_.buffer);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output y_(call.y_(), device);
  const Int8LinearDescriptor desc = call.descriptor();
  const Int8LinearArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, scale_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const Int8LinearDgradArgs*) noexcept>
Owned int8_linear_dgrad_(Tensor dy_in, Tensor weight_in, Tensor scale_in) {
  const char* op = "int8_linear_dgrad";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input scale_(op, "scale", scale_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &weight_, &scale_});
  const Int8LinearDgradCall call(dy_.buffer, weight_.buffer, scale_.buffer);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output dx_(call.dx_(), device);
  const Int8LinearDgradDescriptor desc = call.descriptor();
  const Int8LinearDgradArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, weight_.buffer,
                                 scale_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx_.tensor();
}

template <class Context, opgen::Status (*kernel)(const Int4LinearArgs*) noexcept>
Owned int4_linear_(Tensor x_in, Tensor weight_in, Tensor scale_in, std::optional<Tensor> zero_in) {
  const char* op = "int4_linear";
  const opgen::torch::Input x_(op, "x", x_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input scale_(op, "scale", scale_in);
  const opgen::torch::Input zero_(op, "zero", zero_in);
  const auto device = opgen::torch::device_of(op, {&x_, &weight_, &scale_, &zero_});
  const Int4LinearCall call(x_.buffer, weight_.buffer, scale_.buffer, zero_.buffer);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output y_(call.y_(), device);
  const Int4LinearDescriptor desc = call.descriptor();
  const Int4LinearArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, scale_.buffer,
                            zero_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const Int4LinearDgradArgs*) noexcept>
Owned int4_linear_dgrad_(Tensor dy_in, Tensor weight_in, Tensor scale_in,
                         std::optional<Tensor> zero_in) {
  const char* op = "int4_linear_dgrad";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input weight_(op, "weight", weight_in);
  const opgen::torch::Input scale_(op, "scale", scale_in);
  const opgen::torch::Input zero_(op, "zero", zero_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &weight_, &scale_, &zero_});
  const Int4LinearDgradCall call(dy_.buffer, weight_.buffer, scale_.buffer, zero_.buffer);
  const Context ctx(device);
  opgen::takes(op, call.unmet(Context::platform, ctx.properties()));
  Output dx_(call.dx_(), device);
  const Int4LinearDgradDescriptor desc = call.descriptor();
  const Int4LinearDgradArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, weight_.buffer, scale_.buffer,
                                 zero_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx_.tensor();
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("int8_linear(Tensor x, Tensor weight, Tensor scale) -> (Tensor y)");
  m.def("int8_linear_dgrad(Tensor dy, Tensor weight, Tensor scale) -> (Tensor dx)");
  m.def("int4_linear(Tensor x, Tensor weight, Tensor scale, Tensor\? zero=None) -> (Tensor y)");
  m.def("int4_linear_dgrad(Tensor dy, Tensor weight, Tensor scale, Tensor\? zero=None) -> (Tensor dx)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["int8_linear"] = 0xaeda32eb6992;
  hashes["int8_linear_dgrad"] = 0x3153801a7a4e;
  hashes["int4_linear"] = 0xd7f0f1b21fd3;
  hashes["int4_linear_dgrad"] = 0xf8646e1735e1;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "int8_linear",
            ways<&int8_linear_<CpuContext, generated_int8_linear_cpu>>);
  implement(m, CpuContext::platform, "int8_linear_dgrad",
            ways<&int8_linear_dgrad_<CpuContext, generated_int8_linear_dgrad_cpu>>);
  implement(m, CpuContext::platform, "int4_linear",
            ways<&int4_linear_<CpuContext, generated_int4_linear_cpu>>);
  implement(m, CpuContext::platform, "int4_linear_dgrad",
            ways<&int4_linear_dgrad_<CpuContext, generated_int4_linear_dgrad_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "int8_linear",
            ways<&int8_linear_<CudaContext, generated_int8_linear_cuda>>);
  implement(m, CudaContext::platform, "int8_linear_dgrad",
            ways<&int8_linear_dgrad_<CudaContext, generated_int8_linear_dgrad_cuda>>);
  implement(m, CudaContext::platform, "int4_linear",
            ways<&int4_linear_<CudaContext, generated_int4_linear_cuda>>);
  implement(m, CudaContext::platform, "int4_linear_dgrad",
            ways<&int4_linear_dgrad_<CudaContext, generated_int4_linear_dgrad_cuda>>);
}
#endif
#endif
