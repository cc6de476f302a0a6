// The cuda kernels of the adamw family, one instance for each combination of dtypes.
// Rendered by opgen from adamw.toml.
#include "adamw.h"

#include "opgen/cuda.h"
#include "adamw/adamw_cuda.cu"

namespace generated {

static opgen::Status adamw__dispatch(const Adamw_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.params});
  const opgen::ElementType G_ = opgen::dtype_of({&args.grads});
  const opgen::ElementType M_ = opgen::dtype_of(
      {&args.exp_avgs, &args.exp_avg_sqs, &args.max_exp_avg_sqs});
  switch (opgen::row(T_, G_, M_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::adamw_(Adamw_View<float, float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32, opgen::ElementType::BF16):
      return cuda::adamw_(Adamw_View<float, float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::adamw_(Adamw_View<opgen::bf16, float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32, opgen::ElementType::BF16):
      return cuda::adamw_(Adamw_View<opgen::bf16, float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::adamw_(Adamw_View<opgen::bf16, opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::adamw_(Adamw_View<opgen::bf16, opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::adamw_(Adamw_View<opgen::f16, float, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::adamw_(Adamw_View<opgen::f16, opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::adamw_(Adamw_View<double, float, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32, opgen::ElementType::F64):
      return cuda::adamw_(Adamw_View<double, float, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::adamw_(Adamw_View<double, double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::adamw_(Adamw_View<double, double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_adamw__cuda(const Adamw_Args* args) noexcept {
  if (opgen::all_empty({&args->params, &args->exp_avgs, &args->exp_avg_sqs, &args->step,
                        &args->max_exp_avg_sqs})) {
    return opgen::Status::ok;
  }
  const opgen::DeviceGuard guard(args->ctx->device);
  return adamw__dispatch(*args);
}

}  // namespace generated
