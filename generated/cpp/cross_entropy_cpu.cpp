// The cpu kernels of the cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from cross_entropy.toml.
#include "cross_entropy.h"

#include "cross_entropy/cross_entropy_cpu.cpp"

namespace generated {

static opgen::Status cross_entropy_dispatch(const CrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  switch (opgen::row(T_, I_)) {
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
  return cross_entropy_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_dispatch(const CrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  switch (opgen::row(T_, I_)) {
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
  return cross_entropy_bwd_dispatch(*args);
}

static opgen::Status cross_entropy_top_dispatch(const CrossEntropyTopArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::cross_entropy_top(CrossEntropyTopView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::cross_entropy_top(CrossEntropyTopView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::cross_entropy_top(CrossEntropyTopView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::cross_entropy_top(CrossEntropyTopView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_top_cpu(const CrossEntropyTopArgs* args) noexcept {
  if (opgen::all_empty({&args->top})) return opgen::Status::ok;
  return cross_entropy_top_dispatch(*args);
}

static opgen::Status cross_entropy_terms_dispatch(const CrossEntropyTermsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::cross_entropy_terms(CrossEntropyTermsView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_terms_cpu(
    const CrossEntropyTermsArgs* args) noexcept {
  if (opgen::all_empty({&args->total, &args->missed, &args->below})) return opgen::Status::ok;
  return cross_entropy_terms_dispatch(*args);
}

static opgen::Status cross_entropy_loss_dispatch(const CrossEntropyLossArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::cross_entropy_loss(CrossEntropyLossView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::cross_entropy_loss(CrossEntropyLossView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::cross_entropy_loss(CrossEntropyLossView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::cross_entropy_loss(CrossEntropyLossView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::cross_entropy_loss(CrossEntropyLossView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::cross_entropy_loss(CrossEntropyLossView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::cross_entropy_loss(CrossEntropyLossView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::cross_entropy_loss(CrossEntropyLossView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_loss_cpu(
    const CrossEntropyLossArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->rest, &args->count})) return opgen::Status::ok;
  return cross_entropy_loss_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_part_dispatch(const CrossEntropyBwdPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::cross_entropy_bwd_part(CrossEntropyBwdPartView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_cross_entropy_bwd_part_cpu(
    const CrossEntropyBwdPartArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  return cross_entropy_bwd_part_dispatch(*args);
}

}  // namespace generated
