// The cuda kernels of the embedding_bag family, one instance for each combination of dtypes.
// Rendered by opgen from embedding_bag.toml.
#include "embedding_bag.h"

#include "opgen/cuda.h"
#include "embedding_bag/embedding_bag_cuda.cu"

namespace generated {

static opgen::Status embedding_bag_dispatch(const EmbeddingBagArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.weight, &args.sample_weights});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::embedding_bag(opgen::view<EmbeddingBagCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bag_cuda(const EmbeddingBagArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->argmax})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bag_dispatch(*args);
}

static opgen::Status embedding_bag_bwd_dispatch(const EmbeddingBagBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dweight, &args.dsample_weights, &args.dy, &args.sample_weights, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::embedding_bag_bwd(opgen::view<EmbeddingBagBwdCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bag_bwd_cuda(
    const EmbeddingBagBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight, &args->dsample_weights})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return embedding_bag_bwd_dispatch(*args);
}

}  // namespace generated
