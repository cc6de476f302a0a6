// The cuda kernels of the relu family, one instance for each combination of dtypes.
// Rendered by opgen from relu.toml.
#include "relu.h"

#include "opgen/cuda.h"
#include "relu/relu_cuda.cu"

namespace generated {

static opgen::Status relu_dispatch(const ReluArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>,
      opgen::Row<int8_t>, opgen::Row<int32_t>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::relu(opgen::view<ReluView>(row, args));
  });
}

extern "C" opgen::Status generated_relu_cuda(const ReluArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return relu_dispatch(*args);
}

static opgen::Status relu_bwd_dispatch(const ReluBwdArgs& args) noexcept {
  const opgen::ElementType F_ = opgen::dtype_of({&args.dx, &args.dy, &args.y});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(F_), [&](auto row) {
    return cuda::relu_bwd(opgen::view<ReluBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_relu_bwd_cuda(const ReluBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return relu_bwd_dispatch(*args);
}

}  // namespace generated
