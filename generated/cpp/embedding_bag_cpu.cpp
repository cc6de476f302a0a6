// The cpu kernels of the embedding_bag family, one instance for each combination of dtypes.
// Rendered by opgen from embedding_bag.toml.
#include "embedding_bag.h"

#include "embedding_bag/embedding_bag_cpu.cpp"

namespace generated {

static opgen::Status embedding_bag_dispatch(const EmbeddingBagArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.weight, &args.sample_weights});
  const opgen::ElementType I_ = opgen::dtype_of({&args.argmax, &args.indices, &args.offsets});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::embedding_bag(EmbeddingBagView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::embedding_bag(EmbeddingBagView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::embedding_bag(EmbeddingBagView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::embedding_bag(EmbeddingBagView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::embedding_bag(EmbeddingBagView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::embedding_bag(EmbeddingBagView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::embedding_bag(EmbeddingBagView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::embedding_bag(EmbeddingBagView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bag_cpu(const EmbeddingBagArgs* args) noexcept {
  return embedding_bag_dispatch(*args);
}

static opgen::Status embedding_bag_bwd_dispatch(const EmbeddingBagBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dweight, &args.dsample_weights, &args.dy, &args.sample_weights, &args.weight});
  const opgen::ElementType I_ = opgen::dtype_of({&args.indices, &args.offsets, &args.argmax});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::embedding_bag_bwd(EmbeddingBagBwdView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_embedding_bag_bwd_cpu(const EmbeddingBagBwdArgs* args) noexcept {
  return embedding_bag_bwd_dispatch(*args);
}

}  // namespace generated
