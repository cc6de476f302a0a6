// The rotary family in PyTorch, through its stable ABI.
// Rendered by opgen from rotary.toml.
#include "opgen/torch.h"

#include "rotary_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Owned;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const RotaryArgs*) noexcept>
std::tuple<Owned, Owned> rotary(Tensor q_, Tensor positions_, Tensor cos_sin_,
                                std::optional<Tensor> k_, std::string_view style_, bool inverse_) {
  const char* op = "rotary";
  const opgen::torch::Input q(op, "q", q_);
  const opgen::torch::Input positions(op, "positions", positions_);
  const opgen::torch::Input cos_sin(op, "cos_sin", cos_sin_);
  const opgen::torch::Input k(op, "k", k_);
  const auto device = opgen::torch::device_of(op, {&q, &positions, &cos_sin, &k});
  const RotaryCall call(q.buffer, positions.buffer, cos_sin.buffer, k.buffer, style_, inverse_);
  const Context ctx(device);
  Output q_out(call.q_out(), device);
  auto k_out = call.has_k_out() ? Output(call.k_out(), device) : Output();
  const RotaryDescriptor desc = call.descriptor();
  const RotaryArgs args{&desc, &ctx, q_out.buffer, k_out.buffer, q.buffer, positions.buffer,
                        cos_sin.buffer, k.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
  return {q_out.tensor(), k_out.tensor()};
}

template <class Context, opgen::Status (*kernel)(const Rotary_Args*) noexcept>
void rotary_(Tensor q_, Tensor positions_, Tensor cos_sin_, std::optional<Tensor> k_,
             std::string_view style_, bool inverse_) {
  const char* op = "rotary_";
  const opgen::torch::Updated q(op, "q", q_);
  const opgen::torch::Input positions(op, "positions", positions_);
  const opgen::torch::Input cos_sin(op, "cos_sin", cos_sin_);
  const opgen::torch::Updated k(op, "k", k_);
  const auto device = opgen::torch::device_of(op, {&q, &positions, &cos_sin, &k});
  const Rotary_Call call(q.buffer, positions.buffer, cos_sin.buffer, k.buffer, style_, inverse_);
  opgen::torch::check_overlap(op, {&q, &positions, &cos_sin, &k});
  const Context ctx(device);
  const Rotary_Descriptor desc = call.descriptor();
  const Rotary_Args args{&desc, &ctx, q.buffer, positions.buffer, cos_sin.buffer, k.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("rotary(Tensor q, Tensor positions, Tensor cos_sin, Tensor\? k=None, str style=\"half\", bool inverse=False) -> (Tensor q_out, Tensor k_out)");
  m.def("rotary_(Tensor(a!) q, Tensor positions, Tensor cos_sin, Tensor(d!)\? k=None, str style=\"half\", bool inverse=False) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "rotary", ways<&rotary<CpuContext, generated_rotary_cpu>>);
  implement(m, CpuContext::platform, "rotary_", ways<&rotary_<CpuContext, generated_rotary__cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "rotary", ways<&rotary<CudaContext, generated_rotary_cuda>>);
  implement(m, CudaContext::platform, "rotary_",
            ways<&rotary_<CudaContext, generated_rotary__cuda>>);
}
#endif
