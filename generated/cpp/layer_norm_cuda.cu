// The cuda kernels of the layer_norm family, one instance for each combination of dtypes.
// Rendered by opgen from layer_norm.toml.
#include "layer_norm.h"

#include "opgen/cuda.h"
#include "layer_norm/layer_norm_cuda.cu"

namespace generated {

static opgen::Status layer_norm_dispatch(const LayerNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight, &args.bias});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::layer_norm(LayerNormView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::layer_norm(LayerNormView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::layer_norm(LayerNormView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::layer_norm(LayerNormView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::layer_norm(LayerNormView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::layer_norm(LayerNormView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::layer_norm(LayerNormView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_cuda(const LayerNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->mean, &args->rstd})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return layer_norm_dispatch(*args);
}

static opgen::Status layer_norm_bwd_dispatch(const LayerNormBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::layer_norm_bwd(LayerNormBwdView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::layer_norm_bwd(LayerNormBwdView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::layer_norm_bwd(LayerNormBwdView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::layer_norm_bwd(LayerNormBwdView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::layer_norm_bwd(LayerNormBwdView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::layer_norm_bwd(LayerNormBwdView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::layer_norm_bwd(LayerNormBwdView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_bwd_cuda(const LayerNormBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight, &args->dbias})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return layer_norm_bwd_dispatch(*args);
}

static opgen::Status layer_norm_mean_dispatch(const LayerNormMeanArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::layer_norm_mean(LayerNormMeanView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::layer_norm_mean(LayerNormMeanView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::layer_norm_mean(LayerNormMeanView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::layer_norm_mean(LayerNormMeanView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_mean_cuda(const LayerNormMeanArgs* args) noexcept {
  if (opgen::all_empty({&args->mean})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return layer_norm_mean_dispatch(*args);
}

static opgen::Status layer_norm_variance_dispatch(const LayerNormVarianceArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::layer_norm_variance(LayerNormVarianceView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::layer_norm_variance(LayerNormVarianceView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::layer_norm_variance(LayerNormVarianceView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::layer_norm_variance(LayerNormVarianceView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_variance_cuda(
    const LayerNormVarianceArgs* args) noexcept {
  if (opgen::all_empty({&args->variance})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return layer_norm_variance_dispatch(*args);
}

static opgen::Status layer_norm_scale_dispatch(const LayerNormScaleArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight, &args.bias});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::layer_norm_scale(LayerNormScaleView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::layer_norm_scale(LayerNormScaleView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::layer_norm_scale(LayerNormScaleView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::layer_norm_scale(LayerNormScaleView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::layer_norm_scale(LayerNormScaleView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::layer_norm_scale(LayerNormScaleView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::layer_norm_scale(LayerNormScaleView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_scale_cuda(const LayerNormScaleArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->rstd})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return layer_norm_scale_dispatch(*args);
}

static opgen::Status layer_norm_bwd_means_dispatch(const LayerNormBwdMeansArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dy, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_means(LayerNormBwdMeansView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_means(LayerNormBwdMeansView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::layer_norm_bwd_means(LayerNormBwdMeansView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_means(LayerNormBwdMeansView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::layer_norm_bwd_means(LayerNormBwdMeansView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_means(LayerNormBwdMeansView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::layer_norm_bwd_means(LayerNormBwdMeansView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_bwd_means_cuda(
    const LayerNormBwdMeansArgs* args) noexcept {
  if (opgen::all_empty({&args->g_mean, &args->gh_mean})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return layer_norm_bwd_means_dispatch(*args);
}

static opgen::Status layer_norm_bwd_apply_dispatch(const LayerNormBwdApplyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_apply(LayerNormBwdApplyView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_apply(LayerNormBwdApplyView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::layer_norm_bwd_apply(LayerNormBwdApplyView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_apply(LayerNormBwdApplyView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::layer_norm_bwd_apply(LayerNormBwdApplyView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::layer_norm_bwd_apply(LayerNormBwdApplyView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::layer_norm_bwd_apply(LayerNormBwdApplyView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_layer_norm_bwd_apply_cuda(
    const LayerNormBwdApplyArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight, &args->dbias})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return layer_norm_bwd_apply_dispatch(*args);
}

}  // namespace generated
