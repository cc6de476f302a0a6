// The cuda kernels of the embedding family, one instance for each combination of dtypes.
// Rendered by opgen from embedding.toml.
#include "embedding.h"

#include "opgen/cuda.h"
#include "embedding/embedding_cuda.cu"

namespace generated {

static opgen::Status embedding_dispatch(const EmbeddingArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<opgen::Row<int64_t>, opgen::Row<int32_t>>;
  return Table::dispatch(opgen::row(I_), [&](auto row) {
    return cuda::embedding(opgen::view<EmbeddingView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_cuda(const EmbeddingArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_dispatch(*args);
}

static opgen::Status embedding_bwd_dispatch(const EmbeddingBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::embedding_bwd(opgen::view<EmbeddingBwdCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bwd_cuda(const EmbeddingBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bwd_dispatch(*args);
}

static opgen::Status embedding_bwd_bwd_dispatch(const EmbeddingBwdBwdArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<opgen::Row<int64_t>, opgen::Row<int32_t>>;
  return Table::dispatch(opgen::row(I_), [&](auto row) {
    return cuda::embedding_bwd_bwd(opgen::view<EmbeddingBwdBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bwd_bwd_cuda(
    const EmbeddingBwdBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->ddy})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bwd_bwd_dispatch(*args);
}

static opgen::Status embedding_rows_dispatch(const EmbeddingRowsArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<opgen::Row<int64_t>, opgen::Row<int32_t>>;
  return Table::dispatch(opgen::row(I_), [&](auto row) {
    return cuda::embedding_rows(opgen::view<EmbeddingRowsView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_rows_cuda(const EmbeddingRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_rows_dispatch(*args);
}

static opgen::Status embedding_bwd_rows_dispatch(const EmbeddingBwdRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::embedding_bwd_rows(opgen::view<EmbeddingBwdRowsCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bwd_rows_cuda(
    const EmbeddingBwdRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bwd_rows_dispatch(*args);
}

}  // namespace generated
