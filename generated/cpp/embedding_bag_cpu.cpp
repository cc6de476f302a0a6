// The cpu kernels of the embedding_bag family, one instance for each combination of dtypes.
// Rendered by opgen from embedding_bag.toml.
#include "embedding_bag.h"

#include "embedding_bag/embedding_bag_cpu.cpp"

namespace generated {

static opgen::Status embedding_bag_dispatch(const EmbeddingBagArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.weight, &args.sample_weights});
  const opgen::ElementType I_ = opgen::dtype_of({&args.argmax, &args.indices, &args.offsets});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::embedding_bag(opgen::view<EmbeddingBagView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bag_cpu(const EmbeddingBagArgs* args) noexcept {
  return embedding_bag_dispatch(*args);
}

static opgen::Status embedding_bag_bwd_dispatch(const EmbeddingBagBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dweight, &args.dsample_weights, &args.dy, &args.sample_weights, &args.weight});
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices, &args.offsets, &args.argmax});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::embedding_bag_bwd(opgen::view<EmbeddingBagBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bag_bwd_cpu(const EmbeddingBagBwdArgs* args) noexcept {
  return embedding_bag_bwd_dispatch(*args);
}

}  // namespace generated
