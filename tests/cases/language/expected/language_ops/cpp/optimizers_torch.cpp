// The optimizers family in PyTorch, through its stable ABI.
// Rendered by opgen from optimizers.toml.
#include "opgen/torch.h"

#include "optimizers_call.h"

namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Momentum_Args*) noexcept>
void momentum_(opgen::torch::List<Tensor> params_, opgen::torch::List<Tensor> grads_,
               opgen::torch::List<Tensor> momenta_, Tensor lr_, double momentum_) {
  const char* op = "momentum_";
  const opgen::torch::UpdatedList params(op, "params", params_);
  const opgen::torch::InputList grads(op, "grads", grads_);
  const opgen::torch::UpdatedList momenta(op, "momenta", momenta_);
  const opgen::torch::Input lr(op, "lr", lr_);
  const auto device = opgen::torch::device_of(op, {&params, &grads, &momenta, &lr});
  const Momentum_Call call(params.buffer, grads.buffer, momenta.buffer, lr.buffer, momentum_);
  opgen::torch::check_overlap(op, {&params, &grads, &momenta, &lr});
  const Context ctx(device);
  const Momentum_Descriptor desc = call.descriptor();
  const Momentum_Args args{&desc, &ctx, params.buffer, grads.buffer, momenta.buffer, lr.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace language_ops

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  m.def("momentum_(Tensor(a!)[] params, Tensor[] grads, Tensor(c!)[] momenta, Tensor lr, float momentum=0.9) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "momentum_",
            ways<&momentum_<CpuContext, language_ops_momentum__cpu>>);
}
