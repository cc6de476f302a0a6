// The cuda kernels of the conv2d family, one instance for each combination of dtypes.
// Rendered by opgen from conv2d.toml.
#include "conv2d.h"

#include "opgen/cuda.h"
#include "conv2d/conv2d_cuda.cu"

namespace generated {

static opgen::Status conv2d_dispatch(const Conv2dArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x, &args.weight, &args.bias});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::conv2d(Conv2dView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::conv2d(Conv2dView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::conv2d(Conv2dView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::conv2d(Conv2dView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_conv2d_cuda(const Conv2dArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return conv2d_dispatch(*args);
}

static opgen::Status conv2d_dgrad_dispatch(const Conv2dDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.weight});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::conv2d_dgrad(Conv2dDgradView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::conv2d_dgrad(Conv2dDgradView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::conv2d_dgrad(Conv2dDgradView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::conv2d_dgrad(Conv2dDgradView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_conv2d_dgrad_cuda(const Conv2dDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return conv2d_dgrad_dispatch(*args);
}

static opgen::Status conv2d_wgrad_dispatch(const Conv2dWgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dbias, &args.dy, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::conv2d_wgrad(Conv2dWgradView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::conv2d_wgrad(Conv2dWgradView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::conv2d_wgrad(Conv2dWgradView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::conv2d_wgrad(Conv2dWgradView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_conv2d_wgrad_cuda(const Conv2dWgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight, &args->dbias})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return conv2d_wgrad_dispatch(*args);
}

extern "C" int64_t generated_conv2d_wgrad_cuda_workspace(const Conv2dWgradDescriptor* desc,
                                                         opgen::DeviceProperties device) noexcept {
  return cuda::conv2d_wgrad_workspace(*desc, device);
}

}  // namespace generated
