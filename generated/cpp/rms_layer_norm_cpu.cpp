// The cpu kernels of the rms_layer_norm family, one instance for each combination of dtypes.
// Rendered by opgen from rms_layer_norm.toml.
#include "rms_layer_norm.h"

#include "rms_layer_norm/rms_layer_norm_cpu.cpp"

namespace generated {

static opgen::Status rms_layer_norm_dispatch(const RmsLayerNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  const opgen::ElementType Y_ = opgen::dtype_of({&args.y});
  switch (opgen::row(T_, W_, Y_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rms_layer_norm(RmsLayerNormView<float, float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32, opgen::ElementType::BF16):
      return cpu::rms_layer_norm(RmsLayerNormView<opgen::bf16, float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rms_layer_norm(RmsLayerNormView<opgen::bf16, float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::rms_layer_norm(RmsLayerNormView<opgen::bf16, opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32, opgen::ElementType::F16):
      return cpu::rms_layer_norm(RmsLayerNormView<opgen::f16, float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rms_layer_norm(RmsLayerNormView<opgen::f16, float, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::rms_layer_norm(RmsLayerNormView<opgen::f16, opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32, opgen::ElementType::F64):
      return cpu::rms_layer_norm(RmsLayerNormView<double, float, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::rms_layer_norm(RmsLayerNormView<double, double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_layer_norm_cpu(const RmsLayerNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->rstd})) return opgen::Status::ok;
  return rms_layer_norm_dispatch(*args);
}

static opgen::Status rms_layer_norm_bwd_dispatch(const RmsLayerNormBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  const opgen::ElementType Y_ = opgen::dtype_of({&args.dy});
  switch (opgen::row(T_, W_, Y_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<float, float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32, opgen::ElementType::BF16):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<opgen::bf16, float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<opgen::bf16, float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::rms_layer_norm_bwd(
          RmsLayerNormBwdView<opgen::bf16, opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32, opgen::ElementType::F16):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<opgen::f16, float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<opgen::f16, float, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<opgen::f16, opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32, opgen::ElementType::F64):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<double, float, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::rms_layer_norm_bwd(RmsLayerNormBwdView<double, double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_layer_norm_bwd_cpu(
    const RmsLayerNormBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight})) return opgen::Status::ok;
  return rms_layer_norm_bwd_dispatch(*args);
}

}  // namespace generated
