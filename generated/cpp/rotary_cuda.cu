// The cuda kernels of the rotary family, one instance for each combination of dtypes.
// Rendered by opgen from rotary.toml.
#include "rotary.h"

#include "opgen/cuda.h"
#include "rotary/rotary_cuda.cu"

namespace generated {

static opgen::Status rotary_dispatch(const RotaryArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q_out, &args.k_out, &args.q, &args.k});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::rotary(opgen::view<RotaryCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_rotary_cuda(const RotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rotary_dispatch(*args);
}

static opgen::Status rotary__dispatch(const Rotary_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q, &args.k});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::rotary_(opgen::view<Rotary_CudaView>(row, args));
  });
}

extern "C" opgen::Status generated_rotary__cuda(const Rotary_Args* args) noexcept {
  if (opgen::all_empty({&args->q, &args->k})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rotary__dispatch(*args);
}

static opgen::Status apply_rotary_dispatch(const ApplyRotaryArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q_out, &args.k_out, &args.q, &args.k});
  const opgen::ElementType C_ = opgen::dtype_of({&args.cos, &args.sin});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, C_), [&](auto row) {
    return cuda::apply_rotary(opgen::view<ApplyRotaryView>(row, args));
  });
}

extern "C" opgen::Status generated_apply_rotary_cuda(const ApplyRotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return apply_rotary_dispatch(*args);
}

}  // namespace generated
