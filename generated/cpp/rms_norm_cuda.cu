// The cuda kernels of the rms_norm family, one instance for each combination of dtypes.
// Rendered by opgen from rms_norm.toml.
#include "rms_norm.h"

#include "opgen/cuda.h"
#include "rms_norm/rms_norm_cuda.cu"

namespace generated {

static opgen::Status rms_norm_dispatch(const RmsNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.y, &args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::rms_norm(RmsNormView<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::BF16):
      return cuda::rms_norm(RmsNormView<float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F16):
      return cuda::rms_norm(RmsNormView<float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F64):
      return cuda::rms_norm(RmsNormView<float, double>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::rms_norm(RmsNormView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::rms_norm(RmsNormView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F16):
      return cuda::rms_norm(RmsNormView<opgen::bf16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F64):
      return cuda::rms_norm(RmsNormView<opgen::bf16, double>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::rms_norm(RmsNormView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::BF16):
      return cuda::rms_norm(RmsNormView<opgen::f16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::rms_norm(RmsNormView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F64):
      return cuda::rms_norm(RmsNormView<opgen::f16, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::rms_norm(RmsNormView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::BF16):
      return cuda::rms_norm(RmsNormView<double, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F16):
      return cuda::rms_norm(RmsNormView<double, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::rms_norm(RmsNormView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_norm_cuda(const RmsNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->invvar})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rms_norm_dispatch(*args);
}

static opgen::Status rms_norm_bwd_dispatch(const RmsNormBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.dy, &args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::rms_norm_bwd(RmsNormBwdView<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd(RmsNormBwdView<float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F16):
      return cuda::rms_norm_bwd(RmsNormBwdView<float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F64):
      return cuda::rms_norm_bwd(RmsNormBwdView<float, double>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F16):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::bf16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F64):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::bf16, double>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::f16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F64):
      return cuda::rms_norm_bwd(RmsNormBwdView<opgen::f16, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::rms_norm_bwd(RmsNormBwdView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd(RmsNormBwdView<double, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F16):
      return cuda::rms_norm_bwd(RmsNormBwdView<double, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::rms_norm_bwd(RmsNormBwdView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_norm_bwd_cuda(const RmsNormBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rms_norm_bwd_dispatch(*args);
}

static opgen::Status rms_norm_squares_dispatch(const RmsNormSquaresArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::rms_norm_squares(RmsNormSquaresView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::rms_norm_squares(RmsNormSquaresView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::rms_norm_squares(RmsNormSquaresView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::rms_norm_squares(RmsNormSquaresView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_norm_squares_cuda(const RmsNormSquaresArgs* args) noexcept {
  if (opgen::all_empty({&args->squares})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rms_norm_squares_dispatch(*args);
}

static opgen::Status rms_norm_scale_dispatch(const RmsNormScaleArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.y, &args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::rms_norm_scale(RmsNormScaleView<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::BF16):
      return cuda::rms_norm_scale(RmsNormScaleView<float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F16):
      return cuda::rms_norm_scale(RmsNormScaleView<float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F64):
      return cuda::rms_norm_scale(RmsNormScaleView<float, double>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F16):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::bf16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F64):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::bf16, double>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::BF16):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::f16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F64):
      return cuda::rms_norm_scale(RmsNormScaleView<opgen::f16, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::rms_norm_scale(RmsNormScaleView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::BF16):
      return cuda::rms_norm_scale(RmsNormScaleView<double, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F16):
      return cuda::rms_norm_scale(RmsNormScaleView<double, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::rms_norm_scale(RmsNormScaleView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_norm_scale_cuda(const RmsNormScaleArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->invvar})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rms_norm_scale_dispatch(*args);
}

static opgen::Status rms_norm_bwd_products_dispatch(const RmsNormBwdProductsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.dy, &args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<float, double>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::bf16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::bf16, double>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::f16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<opgen::f16, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<double, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<double, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_products(RmsNormBwdProductsView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_norm_bwd_products_cuda(
    const RmsNormBwdProductsArgs* args) noexcept {
  if (opgen::all_empty({&args->products})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rms_norm_bwd_products_dispatch(*args);
}

static opgen::Status rms_norm_bwd_apply_dispatch(const RmsNormBwdApplyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.dy, &args.weight});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<float, double>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::bf16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::bf16, double>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::f16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<opgen::f16, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::BF16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<double, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F16):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<double, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::rms_norm_bwd_apply(RmsNormBwdApplyView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rms_norm_bwd_apply_cuda(
    const RmsNormBwdApplyArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rms_norm_bwd_apply_dispatch(*args);
}

}  // namespace generated
