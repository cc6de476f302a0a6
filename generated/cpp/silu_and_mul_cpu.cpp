// The cpu kernels of the silu_and_mul family, one instance for each combination of dtypes.
// Rendered by opgen from silu_and_mul.toml.
#include "silu_and_mul.h"

#include "silu_and_mul/silu_and_mul_cpu.cpp"

namespace generated {

static opgen::Status silu_and_mul_dispatch(const SiluAndMulArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::silu_and_mul(opgen::view<SiluAndMulView>(row, args));
  });
}

extern "C" opgen::Status generated_silu_and_mul_cpu(const SiluAndMulArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return silu_and_mul_dispatch(*args);
}

static opgen::Status silu_and_mul_bwd_dispatch(const SiluAndMulBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::silu_and_mul_bwd(opgen::view<SiluAndMulBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_silu_and_mul_bwd_cpu(const SiluAndMulBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return silu_and_mul_bwd_dispatch(*args);
}

static opgen::Status swiglu_dispatch(const SwigluArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.gate, &args.up});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::swiglu(opgen::view<SwigluView>(row, args));
  });
}

extern "C" opgen::Status generated_swiglu_cpu(const SwigluArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return swiglu_dispatch(*args);
}

static opgen::Status swiglu_bwd_dispatch(const SwigluBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dgate, &args.dup, &args.dy, &args.gate, &args.up});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::swiglu_bwd(opgen::view<SwigluBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_swiglu_bwd_cpu(const SwigluBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dgate, &args->dup})) return opgen::Status::ok;
  return swiglu_bwd_dispatch(*args);
}

}  // namespace generated
