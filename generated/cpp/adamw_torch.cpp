// The adamw family in PyTorch, through its stable ABI.
// Rendered by opgen from adamw.toml.
#include "opgen/torch.h"

#include "adamw_call.h"

namespace generated {
namespace {

using opgen::torch::Output;
using opgen::torch::Tensor;

template <class Context, opgen::Status (*kernel)(const Adamw_Args*) noexcept>
void adamw_(opgen::torch::List<Tensor> params_, opgen::torch::List<Tensor> grads_,
            opgen::torch::List<Tensor> exp_avgs_, opgen::torch::List<Tensor> exp_avg_sqs_,
            Tensor step_, Tensor lr_, opgen::torch::List<Tensor> max_exp_avg_sqs_, double beta1_,
            double beta2_, double eps_, double weight_decay_, bool amsgrad_, bool maximize_) {
  const char* op = "adamw_";
  const opgen::torch::UpdatedList params(op, "params", params_, opgen::torch::Layout::dense);
  const opgen::torch::InputList grads(op, "grads", grads_, params);
  const opgen::torch::UpdatedList exp_avgs(op, "exp_avgs", exp_avgs_, params);
  const opgen::torch::UpdatedList exp_avg_sqs(op, "exp_avg_sqs", exp_avg_sqs_, params);
  const opgen::torch::Updated step(op, "step", step_);
  const opgen::torch::Input lr(op, "lr", lr_);
  const opgen::torch::UpdatedList max_exp_avg_sqs(op, "max_exp_avg_sqs", max_exp_avg_sqs_, params);
  const auto device = opgen::torch::device_of(
      op, {&params, &grads, &exp_avgs, &exp_avg_sqs, &step, &lr, &max_exp_avg_sqs});
  const Adamw_Call call(params.buffer, grads.buffer, exp_avgs.buffer, exp_avg_sqs.buffer,
                        step.buffer, lr.buffer, max_exp_avg_sqs.buffer, beta1_, beta2_, eps_,
                        weight_decay_, amsgrad_, maximize_);
  opgen::torch::check_overlap(
      op, {&params, &grads, &exp_avgs, &exp_avg_sqs, &step, &lr, &max_exp_avg_sqs});
  const Context ctx(device);
  const Adamw_Descriptor desc = call.descriptor();
  const Adamw_Args args{&desc, &ctx, params.buffer, grads.buffer, exp_avgs.buffer,
                        exp_avg_sqs.buffer, step.buffer, lr.buffer, max_exp_avg_sqs.buffer};
  opgen::check(kernel(&args), op, ctx.reported);
}

}  // namespace
}  // namespace generated

STABLE_TORCH_LIBRARY_FRAGMENT(generated, m) {
  m.def("adamw_(Tensor(a!)[] params, Tensor[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!) step, Tensor lr, Tensor(g!)[] max_exp_avg_sqs, float beta1=0.9, float beta2=0.999, float eps=1e-08, float weight_decay=0.01, bool amsgrad=False, bool maximize=False) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(generated, CPU, m) {
  using namespace generated;
  using opgen::torch::CpuContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CpuContext::platform, "adamw_", ways<&adamw_<CpuContext, generated_adamw__cpu>>);
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(generated, CUDA, m) {
  using namespace generated;
  using opgen::torch::CudaContext;
  using opgen::torch::implement;
  using opgen::torch::ways;
  implement(m, CudaContext::platform, "adamw_", ways<&adamw_<CudaContext, generated_adamw__cuda>>);
}
#endif
