// The cpu kernels of the fused_add_rms_norm family, one instance for each combination of dtypes.
// Rendered by opgen from fused_add_rms_norm.toml.
#include "fused_add_rms_norm.h"

#include "fused_add_rms_norm/fused_add_rms_norm_cpu.cpp"

namespace generated {

static opgen::Status fused_add_rms_norm_dispatch(const FusedAddRmsNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x, &args.residual, &args.weight});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::BF16):
      return cpu::fused_add_rms_norm(FusedAddRmsNormView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::fused_add_rms_norm(FusedAddRmsNormView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32):
      return cpu::fused_add_rms_norm(FusedAddRmsNormView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::fused_add_rms_norm(FusedAddRmsNormView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_fused_add_rms_norm_cpu(
    const FusedAddRmsNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->residual})) return opgen::Status::ok;
  return fused_add_rms_norm_dispatch(*args);
}

static opgen::Status fused_add_rms_norm_quant_dispatch(
    const FusedAddRmsNormQuantArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x, &args.residual, &args.weight});
  const opgen::ElementType out_dtype_ = opgen::dtype_of({&args.y});
  switch (opgen::row(T_, out_dtype_)) {
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F8E4M3):
      return cpu::fused_add_rms_norm_quant(
          FusedAddRmsNormQuantView<opgen::bf16, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F8E5M2):
      return cpu::fused_add_rms_norm_quant(
          FusedAddRmsNormQuantView<opgen::bf16, opgen::f8e5m2>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F8E4M3):
      return cpu::fused_add_rms_norm_quant(
          FusedAddRmsNormQuantView<opgen::f16, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F8E5M2):
      return cpu::fused_add_rms_norm_quant(
          FusedAddRmsNormQuantView<opgen::f16, opgen::f8e5m2>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F8E4M3):
      return cpu::fused_add_rms_norm_quant(FusedAddRmsNormQuantView<float, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F8E5M2):
      return cpu::fused_add_rms_norm_quant(FusedAddRmsNormQuantView<float, opgen::f8e5m2>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F8E4M3):
      return cpu::fused_add_rms_norm_quant(FusedAddRmsNormQuantView<double, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F8E5M2):
      return cpu::fused_add_rms_norm_quant(FusedAddRmsNormQuantView<double, opgen::f8e5m2>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_fused_add_rms_norm_quant_cpu(
    const FusedAddRmsNormQuantArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->y_scale, &args->residual})) return opgen::Status::ok;
  return fused_add_rms_norm_quant_dispatch(*args);
}

}  // namespace generated
