// The gelu_and_mul family in PyTorch, through its stable ABI.
// Rendered by opgen from gelu_and_mul.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "gelu_and_mul_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Given;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const GeluAndMulArgs*) noexcept>
Owned gelu_and_mul_(Tensor x_in, std::string_view approximate_in) {
  const char* op = "gelu_and_mul";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const GeluAndMulCall call(x_.buffer, approximate_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const GeluAndMulDescriptor desc = call.descriptor();
  const GeluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const GeluAndMulArgs*) noexcept>
void gelu_and_mul_out(Tensor x_in, std::string_view approximate_in, Tensor y_in) {
  const char* op = "gelu_and_mul";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const GeluAndMulCall call(x_.buffer, approximate_in);
  Given y_(op, "out", y_in, call.y_(), device);
  opgen::torch::check_overlap(op, {&x_, &y_});
  const Context ctx(device);
  const GeluAndMulDescriptor desc = call.descriptor();
  const GeluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  y_.finish();
}

template <class Context, opgen::Status (*kernel)(const GeluAndMulBwdArgs*) noexcept>
Owned gelu_and_mul_bwd_(Tensor dy_in, Tensor x_in, std::string_view approximate_in) {
  const char* op = "gelu_and_mul_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_});
  const GeluAndMulBwdCall call(dy_.buffer, x_.buffer, approximate_in);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  const GeluAndMulBwdDescriptor desc = call.descriptor();
  const GeluAndMulBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx_.tensor();
}

template <class Context, opgen::Status (*kernel)(const GegluArgs*) noexcept>
Owned geglu_(Tensor gate_in, Tensor up_in, std::string_view approximate_in) {
  const char* op = "geglu";
  const opgen::torch::Input gate_(op, "gate", gate_in);
  const opgen::torch::Input up_(op, "up", up_in);
  const auto device = opgen::torch::device_of(op, {&gate_, &up_});
  const GegluCall call(gate_.buffer, up_.buffer, approximate_in);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const GegluDescriptor desc = call.descriptor();
  const GegluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const GegluArgs*) noexcept>
void geglu_out(Tensor gate_in, Tensor up_in, std::string_view approximate_in, Tensor y_in) {
  const char* op = "geglu";
  const opgen::torch::Input gate_(op, "gate", gate_in);
  const opgen::torch::Input up_(op, "up", up_in);
  const auto device = opgen::torch::device_of(op, {&gate_, &up_});
  const GegluCall call(gate_.buffer, up_.buffer, approximate_in);
  Given y_(op, "out", y_in, call.y_(), device);
  opgen::torch::check_overlap(op, {&gate_, &up_, &y_});
  const Context ctx(device);
  const GegluDescriptor desc = call.descriptor();
  const GegluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  y_.finish();
}

template <class Context, opgen::Status (*kernel)(const GegluBwdArgs*) noexcept>
std::tuple<Owned, Owned> geglu_bwd_(Tensor dy_in, Tensor gate_in, Tensor up_in,
                                    std::string_view approximate_in) {
  const char* op = "geglu_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input gate_(op, "gate", gate_in);
  const opgen::torch::Input up_(op, "up", up_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &gate_, &up_});
  const GegluBwdCall call(dy_.buffer, gate_.buffer, up_.buffer, approximate_in);
  const Context ctx(device);
  Output dgate_(call.dgate_(), device);
  Output dup_(call.dup_(), device);
  const GegluBwdDescriptor desc = call.descriptor();
  const GegluBwdArgs args{&desc, &ctx, dgate_.buffer, dup_.buffer, dy_.buffer, gate_.buffer,
                          up_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dgate_.tensor(), dup_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("gelu_and_mul.out(Tensor x, str approximate=\"none\", *, Tensor(b!) out) -> ()");
  m.def("gelu_and_mul(Tensor x, str approximate=\"none\") -> (Tensor y)");
  m.def("gelu_and_mul_bwd(Tensor dy, Tensor x, str approximate=\"none\") -> (Tensor dx)");
  m.def("geglu.out(Tensor gate, Tensor up, str approximate=\"none\", *, Tensor(c!) out) -> ()");
  m.def("geglu(Tensor gate, Tensor up, str approximate=\"none\") -> (Tensor y)");
  m.def("geglu_bwd(Tensor dy, Tensor gate, Tensor up, str approximate=\"none\") -> (Tensor dgate, Tensor dup)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["gelu_and_mul"] = 0x783b0262a404;
  hashes["gelu_and_mul_bwd"] = 0xc91ee9305dfe;
  hashes["geglu"] = 0x16c3be59a421;
  hashes["geglu_bwd"] = 0x936101ff8a61;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "gelu_and_mul",
            ways<&gelu_and_mul_<CpuContext, generated_gelu_and_mul_cpu>>);
  implement(m, CpuContext::platform, "gelu_and_mul.out",
            ways<&gelu_and_mul_out<CpuContext, generated_gelu_and_mul_cpu>>);
  implement(m, CpuContext::platform, "gelu_and_mul_bwd",
            ways<&gelu_and_mul_bwd_<CpuContext, generated_gelu_and_mul_bwd_cpu>>);
  implement(m, CpuContext::platform, "geglu", ways<&geglu_<CpuContext, generated_geglu_cpu>>);
  implement(m, CpuContext::platform, "geglu.out",
            ways<&geglu_out<CpuContext, generated_geglu_cpu>>);
  implement(m, CpuContext::platform, "geglu_bwd",
            ways<&geglu_bwd_<CpuContext, generated_geglu_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "gelu_and_mul",
            ways<&gelu_and_mul_<CudaContext, generated_gelu_and_mul_cuda>>);
  implement(m, CudaContext::platform, "gelu_and_mul.out",
            ways<&gelu_and_mul_out<CudaContext, generated_gelu_and_mul_cuda>>);
  implement(m, CudaContext::platform, "gelu_and_mul_bwd",
            ways<&gelu_and_mul_bwd_<CudaContext, generated_gelu_and_mul_bwd_cuda>>);
  implement(m, CudaContext::platform, "geglu", ways<&geglu_<CudaContext, generated_geglu_cuda>>);
  implement(m, CudaContext::platform, "geglu.out",
            ways<&geglu_out<CudaContext, generated_geglu_cuda>>);
  implement(m, CudaContext::platform, "geglu_bwd",
            ways<&geglu_bwd_<CudaContext, generated_geglu_bwd_cuda>>);
}
#endif
#endif
