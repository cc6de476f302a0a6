// The cuda kernels of the embedding family, one instance for each combination of dtypes.
// Rendered by opgen from embedding.toml.
#include "embedding.h"

#include "opgen/cuda.h"
#include "embedding/embedding_cuda.cu"

namespace generated {

static opgen::Status embedding_dispatch(const EmbeddingArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(I_)) {
    case opgen::row(opgen::ElementType::I64):
      return cuda::embedding(EmbeddingView<int64_t>(args));
    case opgen::row(opgen::ElementType::I32):
      return cuda::embedding(EmbeddingView<int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_cuda(const EmbeddingArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_dispatch(*args);
}

static opgen::Status embedding_bwd_dispatch(const EmbeddingBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::embedding_bwd(EmbeddingBwdCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::embedding_bwd(EmbeddingBwdCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::embedding_bwd(EmbeddingBwdCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::embedding_bwd(EmbeddingBwdCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bwd_cuda(const EmbeddingBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bwd_dispatch(*args);
}

static opgen::Status embedding_bwd_bwd_dispatch(const EmbeddingBwdBwdArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(I_)) {
    case opgen::row(opgen::ElementType::I64):
      return cuda::embedding_bwd_bwd(EmbeddingBwdBwdView<int64_t>(args));
    case opgen::row(opgen::ElementType::I32):
      return cuda::embedding_bwd_bwd(EmbeddingBwdBwdView<int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bwd_bwd_cuda(
    const EmbeddingBwdBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->ddy})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bwd_bwd_dispatch(*args);
}

static opgen::Status embedding_rows_dispatch(const EmbeddingRowsArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(I_)) {
    case opgen::row(opgen::ElementType::I64):
      return cuda::embedding_rows(EmbeddingRowsView<int64_t>(args));
    case opgen::row(opgen::ElementType::I32):
      return cuda::embedding_rows(EmbeddingRowsView<int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_rows_cuda(const EmbeddingRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_rows_dispatch(*args);
}

static opgen::Status embedding_bwd_rows_dispatch(const EmbeddingBwdRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::embedding_bwd_rows(EmbeddingBwdRowsCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::embedding_bwd_rows(EmbeddingBwdRowsCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::embedding_bwd_rows(EmbeddingBwdRowsCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::embedding_bwd_rows(EmbeddingBwdRowsCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bwd_rows_cuda(
    const EmbeddingBwdRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bwd_rows_dispatch(*args);
}

}  // namespace generated
