// The cuda kernels of the grouped_gemm family, one instance for each combination of dtypes.
// Rendered by opgen from grouped_gemm.toml.
#include "grouped_gemm.h"

#include "opgen/cuda.h"
#include "grouped_gemm/grouped_gemm_cuda.cu"

namespace generated {

static opgen::Status grouped_gemm_dispatch(const GroupedGemmArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.c, &args.a, &args.b});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::grouped_gemm(opgen::view<GroupedGemmView>(row, args));
  });
}

extern "C" opgen::Status generated_grouped_gemm_cuda(const GroupedGemmArgs* args) noexcept {
  if (opgen::all_empty({&args->c})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return grouped_gemm_dispatch(*args);
}

static opgen::Status grouped_gemm_wgrad_dispatch(const GroupedGemmWgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.db, &args.a, &args.dc});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::grouped_gemm_wgrad(opgen::view<GroupedGemmWgradView>(row, args));
  });
}

extern "C" opgen::Status generated_grouped_gemm_wgrad_cuda(
    const GroupedGemmWgradArgs* args) noexcept {
  if (opgen::all_empty({&args->db})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return grouped_gemm_wgrad_dispatch(*args);
}

}  // namespace generated
