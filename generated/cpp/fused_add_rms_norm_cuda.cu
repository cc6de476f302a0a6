// The cuda kernels of the fused_add_rms_norm family, one instance for each combination of dtypes.
// Rendered by opgen from fused_add_rms_norm.toml.
#include "fused_add_rms_norm.h"

#include "opgen/cuda.h"
#include "fused_add_rms_norm/fused_add_rms_norm_cuda.cu"

namespace generated {

static opgen::Status fused_add_rms_norm_dispatch(const FusedAddRmsNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x, &args.residual, &args.weight});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::fused_add_rms_norm(opgen::view<FusedAddRmsNormView>(row, args));
  });
}

extern "C" opgen::Status generated_fused_add_rms_norm_cuda(
    const FusedAddRmsNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->residual})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return fused_add_rms_norm_dispatch(*args);
}

static opgen::Status fused_add_rms_norm_quant_dispatch(
    const FusedAddRmsNormQuantArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x, &args.residual, &args.weight});
  const opgen::ElementType out_dtype_ = opgen::dtype_of({&args.y});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16, opgen::f8e4m3>, opgen::Row<opgen::bf16, opgen::f8e5m2>,
      opgen::Row<opgen::f16, opgen::f8e4m3>, opgen::Row<opgen::f16, opgen::f8e5m2>,
      opgen::Row<float, opgen::f8e4m3>, opgen::Row<float, opgen::f8e5m2>,
      opgen::Row<double, opgen::f8e4m3>, opgen::Row<double, opgen::f8e5m2>>;
  return Table::dispatch(opgen::row(T_, out_dtype_), [&](auto row) {
    return cuda::fused_add_rms_norm_quant(opgen::view<FusedAddRmsNormQuantView>(row, args));
  });
}

extern "C" opgen::Status generated_fused_add_rms_norm_quant_cuda(
    const FusedAddRmsNormQuantArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->y_scale, &args->residual})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return fused_add_rms_norm_quant_dispatch(*args);
}

}  // namespace generated
