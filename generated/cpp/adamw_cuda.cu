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
  using Table = opgen::Table<
      opgen::Row<float, float, float>, opgen::Row<float, float, opgen::bf16>,
      opgen::Row<opgen::bf16, float, float>, opgen::Row<opgen::bf16, float, opgen::bf16>,
      opgen::Row<opgen::bf16, opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float, float>,
      opgen::Row<opgen::f16, opgen::f16, float>, opgen::Row<double, float, float>,
      opgen::Row<double, float, double>, opgen::Row<double, double, float>,
      opgen::Row<double, double, double>>;
  return Table::dispatch(opgen::row(T_, G_, M_), [&](auto row) {
    return cuda::adamw_(opgen::view<Adamw_View>(row, args));
  });
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
