// The cuda kernels of the cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from cross_entropy.toml.
#include "cross_entropy.h"

#include "opgen/cuda.h"
#include "cross_entropy/cross_entropy_cuda.cu"

namespace generated {

static opgen::Status dispatch_cross_entropy(const CrossEntropyArgs& args) noexcept {
  const opgen::ElementType T = opgen::dtype_of({&args.logits});
  switch (opgen::row(T)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::cross_entropy(CrossEntropyCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::cross_entropy(CrossEntropyCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::cross_entropy(CrossEntropyCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::cross_entropy(CrossEntropyCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_cuda(const CrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->count})) {
    return opgen::Status::ok;
  }
  const opgen::DeviceGuard guard(args->ctx->device);
  return dispatch_cross_entropy(*args);
}

static opgen::Status dispatch_cross_entropy_bwd(const CrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T = opgen::dtype_of({&args.dlogits, &args.logits});
  switch (opgen::row(T)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::cross_entropy_bwd(CrossEntropyBwdCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::cross_entropy_bwd(CrossEntropyBwdCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::cross_entropy_bwd(CrossEntropyBwdCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::cross_entropy_bwd(CrossEntropyBwdCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_bwd_cuda(
    const CrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return dispatch_cross_entropy_bwd(*args);
}

}  // namespace generated
