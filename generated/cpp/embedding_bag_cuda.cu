// The cuda kernels of the embedding_bag family, one instance for each combination of dtypes.
// Rendered by opgen from embedding_bag.toml.
#include "embedding_bag.h"

#include "opgen/cuda.h"
#include "embedding_bag/embedding_bag_cuda.cu"

namespace generated {

static opgen::Status embedding_bag_dispatch(const EmbeddingBagArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.weight, &args.sample_weights});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::embedding_bag(EmbeddingBagCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::embedding_bag(EmbeddingBagCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::embedding_bag(EmbeddingBagCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::embedding_bag(EmbeddingBagCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bag_cuda(const EmbeddingBagArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->argmax})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bag_dispatch(*args);
}

static opgen::Status embedding_bag_bwd_dispatch(const EmbeddingBagBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dweight, &args.dsample_weights, &args.dy, &args.sample_weights, &args.weight});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::embedding_bag_bwd(EmbeddingBagBwdCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::embedding_bag_bwd(EmbeddingBagBwdCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::embedding_bag_bwd(EmbeddingBagBwdCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::embedding_bag_bwd(EmbeddingBagBwdCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bag_bwd_cuda(
    const EmbeddingBagBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight, &args->dsample_weights})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bag_bwd_dispatch(*args);
}

}  // namespace generated
