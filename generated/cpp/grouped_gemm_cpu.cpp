// The cpu kernels of the grouped_gemm family, one instance for each combination of dtypes.
// Rendered by opgen from grouped_gemm.toml.
#include "grouped_gemm.h"

#include "grouped_gemm/grouped_gemm_cpu.cpp"

namespace generated {

static opgen::Status grouped_gemm_dispatch(const GroupedGemmArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.c, &args.a, &args.b});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::grouped_gemm(opgen::view<GroupedGemmView>(row, args));
  });
}

extern "C" opgen::Status generated_grouped_gemm_cpu(const GroupedGemmArgs* args) noexcept {
  return grouped_gemm_dispatch(*args);
}

static opgen::Status grouped_gemm_wgrad_dispatch(const GroupedGemmWgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.db, &args.a, &args.dc});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::grouped_gemm_wgrad(opgen::view<GroupedGemmWgradView>(row, args));
  });
}

extern "C" opgen::Status generated_grouped_gemm_wgrad_cpu(
    const GroupedGemmWgradArgs* args) noexcept {
  return grouped_gemm_wgrad_dispatch(*args);
}

}  // namespace generated
