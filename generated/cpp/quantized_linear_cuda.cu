// The cuda kernels of the quantized_linear family, one instance for each combination of dtypes.
// Rendered by opgen from quantized_linear.toml.
#include "quantized_linear.h"

#include "opgen/cuda.h"
#include "quantized_linear/quantized_linear_cuda.cu"

namespace generated {

static opgen::Status int8_linear_dispatch(const Int8LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::int8_linear(Int8LinearCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::int8_linear(Int8LinearCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::int8_linear(Int8LinearCudaView<opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int8_linear_cuda(const Int8LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int8_linear_dispatch(*args);
}

static opgen::Status int8_linear_dgrad_dispatch(const Int8LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::int8_linear_dgrad(Int8LinearDgradCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::int8_linear_dgrad(Int8LinearDgradCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::int8_linear_dgrad(Int8LinearDgradCudaView<opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int8_linear_dgrad_cuda(
    const Int8LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int8_linear_dgrad_dispatch(*args);
}

static opgen::Status int4_linear_dispatch(const Int4LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::int4_linear(Int4LinearCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::int4_linear(Int4LinearCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::int4_linear(Int4LinearCudaView<opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int4_linear_cuda(const Int4LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int4_linear_dispatch(*args);
}

static opgen::Status int4_linear_dgrad_dispatch(const Int4LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::int4_linear_dgrad(Int4LinearDgradCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::int4_linear_dgrad(Int4LinearDgradCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::int4_linear_dgrad(Int4LinearDgradCudaView<opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int4_linear_dgrad_cuda(
    const Int4LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return int4_linear_dgrad_dispatch(*args);
}

}  // namespace generated
