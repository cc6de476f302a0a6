// The cpu kernels of the embedding family, one instance for each combination of dtypes.
// Rendered by opgen from embedding.toml.
#include "embedding.h"

#include "embedding/embedding_cpu.cpp"

namespace generated {

static opgen::Status embedding_dispatch(const EmbeddingArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(I_)) {
    case opgen::row(opgen::ElementType::I64):
      return cpu::embedding(EmbeddingView<int64_t>(args));
    case opgen::row(opgen::ElementType::I32):
      return cpu::embedding(EmbeddingView<int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_cpu(const EmbeddingArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return embedding_dispatch(*args);
}

static opgen::Status embedding_bwd_dispatch(const EmbeddingBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::embedding_bwd(EmbeddingBwdView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::embedding_bwd(EmbeddingBwdView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::embedding_bwd(EmbeddingBwdView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::embedding_bwd(EmbeddingBwdView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::embedding_bwd(EmbeddingBwdView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::embedding_bwd(EmbeddingBwdView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::embedding_bwd(EmbeddingBwdView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::embedding_bwd(EmbeddingBwdView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bwd_cpu(const EmbeddingBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  return embedding_bwd_dispatch(*args);
}

static opgen::Status embedding_bwd_bwd_dispatch(const EmbeddingBwdBwdArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(I_)) {
    case opgen::row(opgen::ElementType::I64):
      return cpu::embedding_bwd_bwd(EmbeddingBwdBwdView<int64_t>(args));
    case opgen::row(opgen::ElementType::I32):
      return cpu::embedding_bwd_bwd(EmbeddingBwdBwdView<int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bwd_bwd_cpu(const EmbeddingBwdBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->ddy})) return opgen::Status::ok;
  return embedding_bwd_bwd_dispatch(*args);
}

static opgen::Status embedding_rows_dispatch(const EmbeddingRowsArgs& args) noexcept {
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(I_)) {
    case opgen::row(opgen::ElementType::I64):
      return cpu::embedding_rows(EmbeddingRowsView<int64_t>(args));
    case opgen::row(opgen::ElementType::I32):
      return cpu::embedding_rows(EmbeddingRowsView<int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_rows_cpu(const EmbeddingRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return embedding_rows_dispatch(*args);
}

static opgen::Status embedding_bwd_rows_dispatch(const EmbeddingBwdRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy});
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::embedding_bwd_rows(EmbeddingBwdRowsView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bwd_rows_cpu(
    const EmbeddingBwdRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  return embedding_bwd_rows_dispatch(*args);
}

}  // namespace generated
