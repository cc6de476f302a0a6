// The optimizers family in PyTorch, through its stable ABI.
// Rendered by opgen from optimizers.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "optimizers_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace language_ops {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Momentum_Args*) noexcept>
void momentum__(opgen::torch::List<Tensor> params_in, opgen::torch::List<Tensor> grads_in,
                opgen::torch::List<Tensor> momenta_in, Tensor lr_in, double momentum_in) {
  const char* op = "momentum_";
  const opgen::torch::UpdatedList params_(op, "params", params_in);
  const opgen::torch::InputList grads_(op, "grads", grads_in);
  const opgen::torch::UpdatedList momenta_(op, "momenta", momenta_in);
  const opgen::torch::Input lr_(op, "lr", lr_in);
  const auto device = opgen::torch::device_of(op, {&params_, &grads_, &momenta_, &lr_});
  const Momentum_Call call(params_.buffer, grads_.buffer, momenta_.buffer, lr_.buffer, momentum_in);
  opgen::torch::check_overlap(op, {&params_, &grads_, &momenta_, &lr_});
  const Context ctx(device);
  const Momentum_Descriptor desc = call.descriptor();
  const Momentum_Args args{&desc, &ctx, params_.buffer, grads_.buffer, momenta_.buffer, lr_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace language_ops
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(language_ops, m) {
  opgen::torch::define_made_with(m);
  m.def("momentum_(Tensor(a!)[] params, Tensor[] grads, Tensor(c!)[] momenta, Tensor lr, float momentum=0.9) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(language_ops, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["momentum_"] = 0x0496065be0bb;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(language_ops, CPU, m) {
  using namespace language_ops;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "momentum_",
            ways<&momentum__<CpuContext, language_ops_momentum__cpu>>);
}
#endif
