// The cuda kernels of the linear_cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from linear_cross_entropy.toml.
#include "linear_cross_entropy.h"

#include "opgen/cuda.h"
#include "linear_cross_entropy/linear_cross_entropy_cuda.cu"

namespace generated {

static opgen::Status linear_cross_entropy_dispatch(const LinearCrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.hidden, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::linear_cross_entropy(opgen::view<LinearCrossEntropyCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_linear_cross_entropy_cuda(
    const LinearCrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->log_sum, &args->count})) {
    return opgen::Status::ok;
  }
  const opgen::DeviceGuard guard(args->ctx->device);
  return linear_cross_entropy_dispatch(*args);
}

static opgen::Status linear_cross_entropy_bwd_dispatch(
    const LinearCrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.hidden, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::linear_cross_entropy_bwd(opgen::view<LinearCrossEntropyBwdCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_linear_cross_entropy_bwd_cuda(
    const LinearCrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dhidden, &args->dweight})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return linear_cross_entropy_bwd_dispatch(*args);
}

}  // namespace generated
