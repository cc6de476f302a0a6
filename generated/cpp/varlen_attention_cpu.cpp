// The cpu kernels of the varlen_attention family, one instance for each combination of dtypes.
// Rendered by opgen from varlen_attention.toml.
#include "varlen_attention.h"

#include "varlen_attention/varlen_attention_bwd_cpu.cpp"
#include "varlen_attention/varlen_attention_cpu.cpp"

namespace generated {

static opgen::Status varlen_attention_dispatch(const VarlenAttentionArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.out, &args.q, &args.k, &args.v});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::varlen_attention(opgen::view<VarlenAttentionView>(row, args));
  });
}

extern "C" opgen::Status generated_varlen_attention_cpu(const VarlenAttentionArgs* args) noexcept {
  return varlen_attention_dispatch(*args);
}

static opgen::Status varlen_attention_bwd_dispatch(const VarlenAttentionBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dq, &args.dk, &args.dv, &args.dout, &args.q, &args.k, &args.v, &args.out});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::varlen_attention_bwd(opgen::view<VarlenAttentionBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_varlen_attention_bwd_cpu(
    const VarlenAttentionBwdArgs* args) noexcept {
  return varlen_attention_bwd_dispatch(*args);
}

}  // namespace generated
