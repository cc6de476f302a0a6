// The rotary family in PyTorch, through its stable ABI.
// Rendered by opgen from rotary.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "rotary_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::OptionalOwned;
using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const RotaryArgs*) noexcept>
std::tuple<Owned, OptionalOwned> rotary_(Tensor q_in, Tensor positions_in, Tensor cos_sin_in,
                                         std::optional<Tensor> k_in, std::string_view style_in,
                                         bool inverse_in) {
  const char* op = "rotary";
  const opgen::torch::Input q_(op, "q", q_in);
  const opgen::torch::Input positions_(op, "positions", positions_in);
  const opgen::torch::Input cos_sin_(op, "cos_sin", cos_sin_in);
  const opgen::torch::Input k_(op, "k", k_in);
  const auto device = opgen::torch::device_of(op, {&q_, &positions_, &cos_sin_, &k_});
  const RotaryCall call(q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer, style_in,
                        inverse_in);
  const Context ctx(device);
  Output q_out_(call.q_out_(), device);
  auto k_out_ = call.k_out_present() ? Output(call.k_out_(), device) : Output();
  const RotaryDescriptor desc = call.descriptor();
  const RotaryArgs args{&desc, &ctx, q_out_.buffer, k_out_.buffer, q_.buffer, positions_.buffer,
                        cos_sin_.buffer, k_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {q_out_.tensor(), k_out_.tensor()};
}

template <class Context, opgen::Status (*kernel)(const Rotary_Args*) noexcept>
void rotary__(Tensor q_in, Tensor positions_in, Tensor cos_sin_in, std::optional<Tensor> k_in,
              std::string_view style_in, bool inverse_in) {
  const char* op = "rotary_";
  const opgen::torch::Updated q_(op, "q", q_in);
  const opgen::torch::Input positions_(op, "positions", positions_in);
  const opgen::torch::Input cos_sin_(op, "cos_sin", cos_sin_in);
  const opgen::torch::Updated k_(op, "k", k_in);
  const auto device = opgen::torch::device_of(op, {&q_, &positions_, &cos_sin_, &k_});
  const Rotary_Call call(q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer, style_in,
                         inverse_in);
  opgen::torch::check_overlap(op, {&q_, &positions_, &cos_sin_, &k_});
  const Context ctx(device);
  const Rotary_Descriptor desc = call.descriptor();
  const Rotary_Args args{&desc, &ctx, q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

template <class Context, opgen::Status (*kernel)(const ApplyRotaryArgs*) noexcept>
std::tuple<Owned, Owned> apply_rotary_(Tensor q_in, Tensor k_in, Tensor cos_in, Tensor sin_in,
                                       std::string_view order_in, std::string_view style_in,
                                       bool inverse_in) {
  const char* op = "apply_rotary";
  const opgen::torch::Input q_(op, "q", q_in, opgen::Layout::strided);
  const opgen::torch::Input k_(op, "k", k_in, opgen::Layout::strided);
  const opgen::torch::Input cos_(op, "cos", cos_in);
  const opgen::torch::Input sin_(op, "sin", sin_in);
  const auto device = opgen::torch::device_of(op, {&q_, &k_, &cos_, &sin_});
  const ApplyRotaryCall call(q_.buffer, k_.buffer, cos_.buffer, sin_.buffer, order_in, style_in,
                             inverse_in);
  const Context ctx(device);
  Output q_out_(call.q_out_(), device);
  Output k_out_(call.k_out_(), device);
  const ApplyRotaryDescriptor desc = call.descriptor();
  const ApplyRotaryArgs args{&desc, &ctx, q_out_.buffer, k_out_.buffer, q_.buffer, k_.buffer,
                             cos_.buffer, sin_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {q_out_.tensor(), k_out_.tensor()};
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("rotary(Tensor q, Tensor positions, Tensor cos_sin, Tensor\? k=None, str style=\"half\", bool inverse=False) -> (Tensor q_out, Tensor\? k_out)");
  m.def("rotary_(Tensor(a!) q, Tensor positions, Tensor cos_sin, Tensor(d!)\? k=None, str style=\"half\", bool inverse=False) -> ()");
  m.def("apply_rotary(Tensor q, Tensor k, Tensor cos, Tensor sin, str order=\"HSD\", str style=\"half\", bool inverse=False) -> (Tensor q_out, Tensor k_out)");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["rotary"] = 0x1b0473da29a2;
  hashes["rotary_"] = 0x4ff765ad3d0c;
  hashes["apply_rotary"] = 0xe8b043873416;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "rotary", ways<&rotary_<CpuContext, generated_rotary_cpu>>);
  implement(m, CpuContext::platform, "rotary_", ways<&rotary__<CpuContext, generated_rotary__cpu>>);
  implement(m, CpuContext::platform, "apply_rotary",
            ways<&apply_rotary_<CpuContext, generated_apply_rotary_cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "rotary", ways<&rotary_<CudaContext, generated_rotary_cuda>>);
  implement(m, CudaContext::platform, "rotary_",
            ways<&rotary__<CudaContext, generated_rotary__cuda>>);
  implement(m, CudaContext::platform, "apply_rotary",
            ways<&apply_rotary_<CudaContext, generated_apply_rotary_cuda>>);
}
#endif
#endif
