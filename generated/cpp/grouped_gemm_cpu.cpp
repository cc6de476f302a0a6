// The cpu kernels of the grouped_gemm family, one instance for each combination of dtypes.
// Rendered by opgen from grouped_gemm.toml.
#include "grouped_gemm.h"

#include "grouped_gemm/grouped_gemm_cpu.cpp"

namespace generated {

static opgen::Status grouped_gemm_dispatch(const GroupedGemmArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.c, &args.a, &args.b});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::BF16):
      return cpu::grouped_gemm(GroupedGemmView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::grouped_gemm(GroupedGemmView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32):
      return cpu::grouped_gemm(GroupedGemmView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::grouped_gemm(GroupedGemmView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_grouped_gemm_cpu(const GroupedGemmArgs* args) noexcept {
  return grouped_gemm_dispatch(*args);
}

static opgen::Status grouped_gemm_wgrad_dispatch(const GroupedGemmWgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.db, &args.a, &args.dc});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::BF16):
      return cpu::grouped_gemm_wgrad(GroupedGemmWgradView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::grouped_gemm_wgrad(GroupedGemmWgradView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32):
      return cpu::grouped_gemm_wgrad(GroupedGemmWgradView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::grouped_gemm_wgrad(GroupedGemmWgradView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_grouped_gemm_wgrad_cpu(
    const GroupedGemmWgradArgs* args) noexcept {
  return grouped_gemm_wgrad_dispatch(*args);
}

}  // namespace generated
