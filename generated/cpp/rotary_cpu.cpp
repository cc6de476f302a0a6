// The cpu kernels of the rotary family, one instance for each combination of dtypes.
// Rendered by opgen from rotary.toml.
#include "rotary.h"

#include "rotary/rotary_cpu.cpp"

namespace generated {

static opgen::Status rotary_dispatch(const RotaryArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q_out, &args.k_out, &args.q, &args.k});
  const opgen::ElementType C_ = opgen::dtype_of({&args.cos_sin});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<float, opgen::bf16>, opgen::Row<float, opgen::f16>,
      opgen::Row<float, double>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f16>,
      opgen::Row<opgen::bf16, double>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::bf16>, opgen::Row<opgen::f16, opgen::f16>,
      opgen::Row<opgen::f16, double>, opgen::Row<double, float>, opgen::Row<double, opgen::bf16>,
      opgen::Row<double, opgen::f16>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, C_), [&](auto row) {
    return cpu::rotary(opgen::view<RotaryView>(row, args));
  });
}

extern "C" opgen::Status generated_rotary_cpu(const RotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  return rotary_dispatch(*args);
}

static opgen::Status rotary__dispatch(const Rotary_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q, &args.k});
  const opgen::ElementType C_ = opgen::dtype_of({&args.cos_sin});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<float, opgen::bf16>, opgen::Row<float, opgen::f16>,
      opgen::Row<float, double>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f16>,
      opgen::Row<opgen::bf16, double>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::bf16>, opgen::Row<opgen::f16, opgen::f16>,
      opgen::Row<opgen::f16, double>, opgen::Row<double, float>, opgen::Row<double, opgen::bf16>,
      opgen::Row<double, opgen::f16>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, C_), [&](auto row) {
    return cpu::rotary_(opgen::view<Rotary_View>(row, args));
  });
}

extern "C" opgen::Status generated_rotary__cpu(const Rotary_Args* args) noexcept {
  if (opgen::all_empty({&args->q, &args->k})) return opgen::Status::ok;
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
    return cpu::apply_rotary(opgen::view<ApplyRotaryView>(row, args));
  });
}

extern "C" opgen::Status generated_apply_rotary_cpu(const ApplyRotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  return apply_rotary_dispatch(*args);
}

}  // namespace generated
