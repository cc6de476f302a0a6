// The cpu kernels of the embedding family, one instance for each combination of dtypes.
// Rendered by opgen from embedding.toml.
#include "embedding.h"

#include "embedding/embedding_cpu.cpp"

namespace generated {

static opgen::Status embedding_dispatch(const EmbeddingArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<opgen::Row<int64_t>, opgen::Row<int32_t>>;
  return Table::dispatch(opgen::row(I_), [&](auto row) {
    return cpu::embedding(opgen::view<EmbeddingView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_cpu(const EmbeddingArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return embedding_dispatch(*args);
}

static opgen::Status embedding_bwd_dispatch(const EmbeddingBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::embedding_bwd(opgen::view<EmbeddingBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bwd_cpu(const EmbeddingBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  return embedding_bwd_dispatch(*args);
}

static opgen::Status embedding_bwd_bwd_dispatch(const EmbeddingBwdBwdArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<opgen::Row<int64_t>, opgen::Row<int32_t>>;
  return Table::dispatch(opgen::row(I_), [&](auto row) {
    return cpu::embedding_bwd_bwd(opgen::view<EmbeddingBwdBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bwd_bwd_cpu(const EmbeddingBwdBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->ddy})) return opgen::Status::ok;
  return embedding_bwd_bwd_dispatch(*args);
}

static opgen::Status embedding_rows_dispatch(const EmbeddingRowsArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<opgen::Row<int64_t>, opgen::Row<int32_t>>;
  return Table::dispatch(opgen::row(I_), [&](auto row) {
    return cpu::embedding_rows(opgen::view<EmbeddingRowsView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_rows_cpu(const EmbeddingRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return embedding_rows_dispatch(*args);
}

static opgen::Status embedding_bwd_rows_dispatch(const EmbeddingBwdRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::embedding_bwd_rows(opgen::view<EmbeddingBwdRowsView>(row, args));
  });
}

extern "C" opgen::Status generated_embedding_bwd_rows_cpu(
    const EmbeddingBwdRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  return embedding_bwd_rows_dispatch(*args);
}

}  // namespace generated
