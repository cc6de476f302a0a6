// The adamw family in PyTorch, through its stable ABI.
// Rendered by opgen from adamw.toml.
#include "opgen/torch.h"
#include "opgen/torch_made_with.h"

#include "adamw_call.h"

#ifndef OPGEN_SCHEMAS_ONLY
namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Adamw_Args*) noexcept>
void adamw__(opgen::torch::List<Tensor> params_in, opgen::torch::List<Tensor> grads_in,
             opgen::torch::List<Tensor> exp_avgs_in, opgen::torch::List<Tensor> exp_avg_sqs_in,
             Tensor step_in, Tensor lr_in, opgen::torch::List<Tensor> max_exp_avg_sqs_in,
             double beta1_in, double beta2_in, double eps_in, double weight_decay_in,
             bool amsgrad_in, bool maximize_in) {
  const char* op = "adamw_";
  const opgen::torch::UpdatedList params_(op, "params", params_in, opgen::Layout::dense);
  const opgen::torch::InputList grads_(op, "grads", grads_in, params_);
  const opgen::torch::UpdatedList exp_avgs_(op, "exp_avgs", exp_avgs_in, params_);
  const opgen::torch::UpdatedList exp_avg_sqs_(op, "exp_avg_sqs", exp_avg_sqs_in, params_);
  const opgen::torch::Updated step_(op, "step", step_in);
  const opgen::torch::Input lr_(op, "lr", lr_in);
  const opgen::torch::UpdatedList max_exp_avg_sqs_(op, "max_exp_avg_sqs", max_exp_avg_sqs_in,
                                                   params_);
  const auto device = opgen::torch::device_of(
      op, {&params_, &grads_, &exp_avgs_, &exp_avg_sqs_, &step_, &lr_, &max_exp_avg_sqs_});
  const Adamw_Call call(params_.buffer, grads_.buffer, exp_avgs_.buffer, exp_avg_sqs_.buffer,
                        step_.buffer, lr_.buffer, max_exp_avg_sqs_.buffer, beta1_in, beta2_in,
                        eps_in, weight_decay_in, amsgrad_in, maximize_in);
  opgen::torch::check_overlap(
      op, {&params_, &grads_, &exp_avgs_, &exp_avg_sqs_, &step_, &lr_, &max_exp_avg_sqs_});
  const Context ctx(device);
  const Adamw_Descriptor desc = call.descriptor();
  const Adamw_Args args{&desc, &ctx, params_.buffer, grads_.buffer, exp_avgs_.buffer,
                        exp_avg_sqs_.buffer, step_.buffer, lr_.buffer, max_exp_avg_sqs_.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace generated
#endif

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  opgen::torch::define_made_with(m);
  m.def("adamw_(Tensor(a!)[] params, Tensor[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!) step, Tensor lr, Tensor(g!)[] max_exp_avg_sqs, float beta1=0.9, float beta2=0.999, float eps=1e-08, float weight_decay=0.01, bool amsgrad=False, bool maximize=False) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CompositeExplicitAutograd, m) {
  opgen::torch::implement_made_with(m);
  auto& hashes = opgen::torch::op_hashes();
  hashes["adamw_"] = 0x04a9f8d1513e;
}

#ifndef OPGEN_SCHEMAS_ONLY
STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "adamw_", ways<&adamw__<CpuContext, generated_adamw__cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "adamw_", ways<&adamw__<CudaContext, generated_adamw__cuda>>);
}
#endif
#endif
