// The cpu kernels of the cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from cross_entropy.toml.
#include "cross_entropy.h"

#include "cross_entropy/cross_entropy_cpu.cpp"

namespace generated {

static opgen::Status dispatch_cross_entropy(const CrossEntropyArgs& args) noexcept {
  const opgen::ElementType T = opgen::dtype_of({&args.logits});
  const opgen::ElementType I = opgen::dtype_of({&args.labels});
  switch (opgen::row(T, I)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::cross_entropy(CrossEntropyView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::cross_entropy(CrossEntropyView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::cross_entropy(CrossEntropyView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::cross_entropy(CrossEntropyView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::cross_entropy(CrossEntropyView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::cross_entropy(CrossEntropyView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::cross_entropy(CrossEntropyView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::cross_entropy(CrossEntropyView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_cpu(const CrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->count})) {
    return opgen::Status::ok;
  }
  return dispatch_cross_entropy(*args);
}

static opgen::Status dispatch_cross_entropy_bwd(const CrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T = opgen::dtype_of({&args.dlogits, &args.logits});
  const opgen::ElementType I = opgen::dtype_of({&args.labels});
  switch (opgen::row(T, I)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd(CrossEntropyBwdView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_bwd_cpu(const CrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  return dispatch_cross_entropy_bwd(*args);
}

}  // namespace generated
