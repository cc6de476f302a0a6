// The cpu kernels of the varlen_attention family, one instance for each combination of dtypes.
// Rendered by opgen from varlen_attention.toml.
#include "varlen_attention.h"

#include "varlen_attention/varlen_attention_bwd_cpu.cpp"
#include "varlen_attention/varlen_attention_cpu.cpp"

namespace generated {

static opgen::Status varlen_attention_dispatch(const VarlenAttentionArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.out, &args.q, &args.k, &args.v});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::BF16):
      return cpu::varlen_attention(VarlenAttentionView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::varlen_attention(VarlenAttentionView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32):
      return cpu::varlen_attention(VarlenAttentionView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::varlen_attention(VarlenAttentionView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_varlen_attention_cpu(const VarlenAttentionArgs* args) noexcept {
  return varlen_attention_dispatch(*args);
}

static opgen::Status varlen_attention_bwd_dispatch(const VarlenAttentionBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dq, &args.dk, &args.dv, &args.dout, &args.q, &args.k, &args.v, &args.out});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::BF16):
      return cpu::varlen_attention_bwd(VarlenAttentionBwdView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::varlen_attention_bwd(VarlenAttentionBwdView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32):
      return cpu::varlen_attention_bwd(VarlenAttentionBwdView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::varlen_attention_bwd(VarlenAttentionBwdView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_varlen_attention_bwd_cpu(
    const VarlenAttentionBwdArgs* args) noexcept {
  return varlen_attention_bwd_dispatch(*args);
}

}  // namespace generated
