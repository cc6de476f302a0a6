// The cuda kernels of the cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from cross_entropy.toml.
#include "cross_entropy.h"

#include "opgen/cuda.h"
#include "cross_entropy/cross_entropy_cuda.cu"

namespace generated {

static opgen::Status cross_entropy_dispatch(const CrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  switch (opgen::row(T_)) {
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
  return cross_entropy_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_dispatch(const CrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  switch (opgen::row(T_)) {
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
  return cross_entropy_bwd_dispatch(*args);
}

static opgen::Status cross_entropy_top_dispatch(const CrossEntropyTopArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::cross_entropy_top(CrossEntropyTopView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::cross_entropy_top(CrossEntropyTopView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::cross_entropy_top(CrossEntropyTopView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::cross_entropy_top(CrossEntropyTopView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_top_cuda(
    const CrossEntropyTopArgs* args) noexcept {
  if (opgen::all_empty({&args->top})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_top_dispatch(*args);
}

static opgen::Status cross_entropy_terms_dispatch(const CrossEntropyTermsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::cross_entropy_terms(CrossEntropyTermsCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::cross_entropy_terms(CrossEntropyTermsCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::cross_entropy_terms(CrossEntropyTermsCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::cross_entropy_terms(CrossEntropyTermsCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_terms_cuda(
    const CrossEntropyTermsArgs* args) noexcept {
  if (opgen::all_empty({&args->total, &args->missed, &args->below})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_terms_dispatch(*args);
}

static opgen::Status cross_entropy_loss_dispatch(const CrossEntropyLossArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::cross_entropy_loss(CrossEntropyLossCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::cross_entropy_loss(CrossEntropyLossCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::cross_entropy_loss(CrossEntropyLossCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::cross_entropy_loss(CrossEntropyLossCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_loss_cuda(
    const CrossEntropyLossArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->rest, &args->count})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_loss_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_part_dispatch(const CrossEntropyBwdPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::cross_entropy_bwd_part(CrossEntropyBwdPartCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::cross_entropy_bwd_part(CrossEntropyBwdPartCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::cross_entropy_bwd_part(CrossEntropyBwdPartCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::cross_entropy_bwd_part(CrossEntropyBwdPartCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_bwd_part_cuda(
    const CrossEntropyBwdPartArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_bwd_part_dispatch(*args);
}

}  // namespace generated
