// The cpu kernels of the layer_norm family, one instance for each combination of dtypes.
// Rendered by opgen from layer_norm.toml.
#include "layer_norm.h"

#include "layer_norm/layer_norm_cpu.cpp"

namespace generated {

static opgen::Status dispatch_layer_norm(const LayerNormArgs& args) noexcept {
  const opgen::ElementType T = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType W = opgen::dtype_of({&args.weight, &args.bias});
  switch (opgen::row(T, W)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::layer_norm(LayerNormView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::layer_norm(LayerNormView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::layer_norm(LayerNormView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::layer_norm(LayerNormView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::layer_norm(LayerNormView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cpu::layer_norm(LayerNormView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::layer_norm(LayerNormView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_cpu(const LayerNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->mean, &args->rstd})) return opgen::Status::ok;
  return dispatch_layer_norm(*args);
}

static opgen::Status dispatch_layer_norm_bwd(const LayerNormBwdArgs& args) noexcept {
  const opgen::ElementType T = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  const opgen::ElementType W = opgen::dtype_of({&args.weight});
  switch (opgen::row(T, W)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::layer_norm_bwd(LayerNormBwdView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::layer_norm_bwd(LayerNormBwdView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::layer_norm_bwd(LayerNormBwdView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::layer_norm_bwd(LayerNormBwdView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::layer_norm_bwd(LayerNormBwdView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cpu::layer_norm_bwd(LayerNormBwdView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::layer_norm_bwd(LayerNormBwdView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_bwd_cpu(const LayerNormBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight, &args->dbias})) return opgen::Status::ok;
  return dispatch_layer_norm_bwd(*args);
}

}  // namespace generated
