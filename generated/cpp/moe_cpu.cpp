// The cpu kernels of the moe family, one instance for each combination of dtypes.
// Rendered by opgen from moe.toml.
#include "moe.h"

#include "moe/moe_cpu.cpp"

namespace generated {

static opgen::Status moe_permute_dispatch(const MoePermuteArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.rows, &args.x});
  const opgen::ElementType I_ = opgen::dtype_of({&args.ids});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::moe_permute(opgen::view<MoePermuteView>(row, args));
  });
}

extern "C" opgen::Status generated_moe_permute_cpu(const MoePermuteArgs* args) noexcept {
  if (opgen::all_empty({&args->rows, &args->offsets, &args->places})) return opgen::Status::ok;
  return moe_permute_dispatch(*args);
}

static opgen::Status moe_unpermute_dispatch(const MoeUnpermuteArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.rows});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weights});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::moe_unpermute(opgen::view<MoeUnpermuteView>(row, args));
  });
}

extern "C" opgen::Status generated_moe_unpermute_cpu(const MoeUnpermuteArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return moe_unpermute_dispatch(*args);
}

static opgen::Status moe_unpermute_dgrad_dispatch(const MoeUnpermuteDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.drows, &args.dy});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weights});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::moe_unpermute_dgrad(opgen::view<MoeUnpermuteDgradView>(row, args));
  });
}

extern "C" opgen::Status generated_moe_unpermute_dgrad_cpu(
    const MoeUnpermuteDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->drows})) return opgen::Status::ok;
  return moe_unpermute_dgrad_dispatch(*args);
}

static opgen::Status moe_unpermute_wgrad_dispatch(const MoeUnpermuteWgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dy, &args.rows});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::moe_unpermute_wgrad(opgen::view<MoeUnpermuteWgradView>(row, args));
  });
}

extern "C" opgen::Status generated_moe_unpermute_wgrad_cpu(
    const MoeUnpermuteWgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dweights})) return opgen::Status::ok;
  return moe_unpermute_wgrad_dispatch(*args);
}

}  // namespace generated
