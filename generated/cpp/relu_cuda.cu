// The cuda kernels of the relu family, one instance for each combination of dtypes.
// Rendered by opgen from relu.toml.
#include "relu.h"

#include "opgen/cuda.h"
#include "relu/relu_cuda.cu"

namespace generated {

static opgen::Status dispatch_relu(const ReluArgs& args) noexcept {
  const opgen::ElementType T = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::relu(ReluView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::relu(ReluView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::relu(ReluView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::relu(ReluView<double>(args));
    case opgen::row(opgen::ElementType::I8):
      return cuda::relu(ReluView<int8_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_relu_cuda(const ReluArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return dispatch_relu(*args);
}

static opgen::Status dispatch_relu_bwd(const ReluBwdArgs& args) noexcept {
  const opgen::ElementType F = opgen::dtype_of({&args.dx, &args.dy, &args.y});
  switch (opgen::row(F)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::relu_bwd(ReluBwdView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::relu_bwd(ReluBwdView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::relu_bwd(ReluBwdView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::relu_bwd(ReluBwdView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_relu_bwd_cuda(const ReluBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return dispatch_relu_bwd(*args);
}

}  // namespace generated
