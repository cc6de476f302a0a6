// The silu_and_mul family in PyTorch, through its stable ABI.
// Rendered by opgen from silu_and_mul.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "silu_and_mul_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Given;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const SiluAndMulArgs*) noexcept>
Owned silu_and_mul_(Tensor x_in) {
  const char* op = "silu_and_mul";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const SiluAndMulCall call(x_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const SiluAndMulDescriptor desc = call.descriptor();
  const SiluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const SiluAndMulArgs*) noexcept>
void silu_and_mul_out(Tensor x_in, Tensor y_in) {
  const char* op = "silu_and_mul";
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&x_});
  const SiluAndMulCall call(x_.buffer);
  Given y_(op, "out", y_in, call.y_(), device);
  opgen::torch::check_overlap(op, {&x_, &y_});
  const Context ctx(device);
  const SiluAndMulDescriptor desc = call.descriptor();
  const SiluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  y_.finish();
}

template <class Context, opgen::Status (*kernel)(const SiluAndMulBwdArgs*) noexcept>
Owned silu_and_mul_bwd_(Tensor dy_in, Tensor x_in) {
  const char* op = "silu_and_mul_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input x_(op, "x", x_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &x_});
  const SiluAndMulBwdCall call(dy_.buffer, x_.buffer);
  const Context ctx(device);
  Output dx_(call.dx_(), device);
  const SiluAndMulBwdDescriptor desc = call.descriptor();
  const SiluAndMulBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return dx_.tensor();
}

template <class Context, opgen::Status (*kernel)(const SwigluArgs*) noexcept>
Owned swiglu_(Tensor gate_in, Tensor up_in) {
  const char* op = "swiglu";
  const opgen::torch::Input gate_(op, "gate", gate_in);
  const opgen::torch::Input up_(op, "up", up_in);
  const auto device = opgen::torch::device_of(op, {&gate_, &up_});
  const SwigluCall call(gate_.buffer, up_.buffer);
  const Context ctx(device);
  Output y_(call.y_(), device);
  const SwigluDescriptor desc = call.descriptor();
  const SwigluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return y_.tensor();
}

template <class Context, opgen::Status (*kernel)(const SwigluArgs*) noexcept>
void swiglu_out(Tensor gate_in, Tensor up_in, Tensor y_in) {
  const char* op = "swiglu";
  const opgen::torch::Input gate_(op, "gate", gate_in);
  const opgen::torch::Input up_(op, "up", up_in);
  const auto device = opgen::torch::device_of(op, {&gate_, &up_});
  const SwigluCall call(gate_.buffer, up_.buffer);
  Given y_(op, "out", y_in, call.y_(), device);
  opgen::torch::check_overlap(op, {&gate_, &up_, &y_});
  const Context ctx(device);
  const SwigluDescriptor desc = call.descriptor();
  const SwigluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  y_.finish();
}

template <class Context, opgen::Status (*kernel)(const SwigluBwdArgs*) noexcept>
std::tuple<Owned, Owned> swiglu_bwd_(Tensor dy_in, Tensor gate_in, Tensor up_in) {
  const char* op = "swiglu_bwd";
  const opgen::torch::Input dy_(op, "dy", dy_in);
  const opgen::torch::Input gate_(op, "gate", gate_in);
  const opgen::torch::Input up_(op, "up", up_in);
  const auto device = opgen::torch::device_of(op, {&dy_, &gate_, &up_});
  const SwigluBwdCall call(dy_.buffer, gate_.buffer, up_.buffer);
  const Context ctx(device);
  Output dgate_(call.dgate_(), device);
  Output dup_(call.dup_(), device);
  const SwigluBwdDescriptor desc = call.descriptor();
  const SwigluBwdArgs args{&desc, &ctx, dgate_.buffer, dup_.buffer, dy_.buffer, gate_.buffer,
                           up_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {dgate_.tensor(), dup_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("silu_and_mul.out(Tensor x, *, Tensor(b!) out) -> ()");
  m.def("silu_and_mul(Tensor x) -> (Tensor y)");
  m.def("silu_and_mul_bwd(Tensor dy, Tensor x) -> (Tensor dx)");
  m.def("swiglu.out(Tensor gate, Tensor up, *, Tensor(c!) out) -> ()");
  m.def("swiglu(Tensor gate, Tensor up) -> (Tensor y)");
  m.def("swiglu_bwd(Tensor dy, Tensor gate, Tensor up) -> (Tensor dgate, Tensor dup)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["silu_and_mul"] = 0xead29c8a917b;
  hashes["silu_and_mul_bwd"] = 0xd1d2a079bbf4;
  hashes["swiglu"] = 0xaf2a03abd8a6;
  hashes["swiglu_bwd"] = 0x639e659b9c7f;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "silu_and_mul",
            ways<&silu_and_mul_<CpuContext, generated_silu_and_mul_cpu>>);
  implement(m, CpuContext::platform, "silu_and_mul.out",
            ways<&silu_and_mul_out<CpuContext, generated_silu_and_mul_cpu>>);
  implement(m, CpuContext::platform, "silu_and_mul_bwd",
            ways<&silu_and_mul_bwd_<CpuContext, generated_silu_and_mul_bwd_cpu>>);
  implement(m, CpuContext::platform, "swiglu", ways<&swiglu_<CpuContext, generated_swiglu_cpu>>);
  implement(m, CpuContext::platform, "swiglu.out",
            ways<&swiglu_out<CpuContext, generated_swiglu_cpu>>);
  implement(m, CpuContext::platform, "swiglu_bwd",
            ways<&swiglu_bwd_<CpuContext, generated_swiglu_bwd_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "silu_and_mul",
            ways<&silu_and_mul_<CudaContext, generated_silu_and_mul_cuda>>);
  implement(m, CudaContext::platform, "silu_and_mul.out",
            ways<&silu_and_mul_out<CudaContext, generated_silu_and_mul_cuda>>);
  implement(m, CudaContext::platform, "silu_and_mul_bwd",
            ways<&silu_and_mul_bwd_<CudaContext, generated_silu_and_mul_bwd_cuda>>);
  implement(m, CudaContext::platform, "swiglu", ways<&swiglu_<CudaContext, generated_swiglu_cuda>>);
  implement(m, CudaContext::platform, "swiglu.out",
            ways<&swiglu_out<CudaContext, generated_swiglu_cuda>>);
  implement(m, CudaContext::platform, "swiglu_bwd",
            ways<&swiglu_bwd_<CudaContext, generated_swiglu_bwd_cuda>>);
}
#endif
#endif
