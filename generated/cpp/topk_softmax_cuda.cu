// The cuda kernels of the topk_softmax family, one instance for each combination of dtypes.
// Rendered by opgen from topk_softmax.toml.
#include "topk_softmax.h"

#include "opgen/cuda.h"
#include "topk_softmax/topk_softmax_cuda.cu"

namespace generated {

static opgen::Status topk_softmax_dispatch(const TopkSoftmaxArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::topk_softmax(TopkSoftmaxView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::topk_softmax(TopkSoftmaxView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::topk_softmax(TopkSoftmaxView<opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_topk_softmax_cuda(const TopkSoftmaxArgs* args) noexcept {
  if (opgen::all_empty({&args->weights, &args->ids, &args->top, &args->total})) {
    return opgen::Status::ok;
  }
  const opgen::DeviceGuard guard(args->ctx->device);
  return topk_softmax_dispatch(*args);
}

static opgen::Status topk_softmax_bwd_dispatch(const TopkSoftmaxBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::topk_softmax_bwd(TopkSoftmaxBwdView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::topk_softmax_bwd(TopkSoftmaxBwdView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::topk_softmax_bwd(TopkSoftmaxBwdView<opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_topk_softmax_bwd_cuda(const TopkSoftmaxBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return topk_softmax_bwd_dispatch(*args);
}

}  // namespace generated
