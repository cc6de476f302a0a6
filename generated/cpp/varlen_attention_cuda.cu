// The cuda kernels of the varlen_attention family, one instance for each combination of dtypes.
// Rendered by opgen from varlen_attention.toml.
#include "varlen_attention.h"

#include "opgen/cuda.h"
#include "varlen_attention/varlen_attention_bwd_cuda.cu"
#include "varlen_attention/varlen_attention_cuda.cu"

namespace generated {

static opgen::Status varlen_attention_dispatch(const VarlenAttentionArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.out, &args.q, &args.k, &args.v});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::varlen_attention_fwd(opgen::view<VarlenAttentionView>(row, args));
  });
}

extern "C" opgen::Status generated_varlen_attention_cuda(const VarlenAttentionArgs* args) noexcept {
  if (opgen::all_empty({&args->out, &args->lse})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return varlen_attention_dispatch(*args);
}

static opgen::Status varlen_attention_bwd_dispatch(const VarlenAttentionBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dq, &args.dk, &args.dv, &args.dout, &args.q, &args.k, &args.v, &args.out});
  using Table = opgen::Table<
      opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::varlen_attention_bwd(opgen::view<VarlenAttentionBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_varlen_attention_bwd_cuda(
    const VarlenAttentionBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dq, &args->dk, &args->dv})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return varlen_attention_bwd_dispatch(*args);
}

extern "C" int64_t generated_varlen_attention_bwd_cuda_workspace(
    const VarlenAttentionBwdDescriptor* desc, opgen::DeviceProperties device) noexcept {
  return cuda::varlen_attention_bwd_workspace(*desc, device);
}

}  // namespace generated
