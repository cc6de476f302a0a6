// The cpu kernels of the rms_norm family, one instance for each combination of dtypes.
// Rendered by opgen from rms_norm.toml.
#include "rms_norm.h"

#include "rms_norm/rms_norm_cpu.cpp"

namespace generated {

static opgen::Status rms_norm_dispatch(const RmsNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.y, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<float, opgen::bf16>, opgen::Row<float, opgen::f16>,
      opgen::Row<float, double>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f16>,
      opgen::Row<opgen::bf16, double>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::bf16>, opgen::Row<opgen::f16, opgen::f16>,
      opgen::Row<opgen::f16, double>, opgen::Row<double, float>, opgen::Row<double, opgen::bf16>,
      opgen::Row<double, opgen::f16>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::rms_norm(opgen::view<RmsNormView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_norm_cpu(const RmsNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->invvar})) return opgen::Status::ok;
  return rms_norm_dispatch(*args);
}

static opgen::Status rms_norm_bwd_dispatch(const RmsNormBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.dy, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<float, opgen::bf16>, opgen::Row<float, opgen::f16>,
      opgen::Row<float, double>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f16>,
      opgen::Row<opgen::bf16, double>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::bf16>, opgen::Row<opgen::f16, opgen::f16>,
      opgen::Row<opgen::f16, double>, opgen::Row<double, float>, opgen::Row<double, opgen::bf16>,
      opgen::Row<double, opgen::f16>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::rms_norm_bwd(opgen::view<RmsNormBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_norm_bwd_cpu(const RmsNormBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight})) return opgen::Status::ok;
  return rms_norm_bwd_dispatch(*args);
}

static opgen::Status rms_norm_squares_dispatch(const RmsNormSquaresArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::rms_norm_squares(opgen::view<RmsNormSquaresView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_norm_squares_cpu(const RmsNormSquaresArgs* args) noexcept {
  if (opgen::all_empty({&args->squares})) return opgen::Status::ok;
  return rms_norm_squares_dispatch(*args);
}

static opgen::Status rms_norm_scale_dispatch(const RmsNormScaleArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.y, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<float, opgen::bf16>, opgen::Row<float, opgen::f16>,
      opgen::Row<float, double>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f16>,
      opgen::Row<opgen::bf16, double>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::bf16>, opgen::Row<opgen::f16, opgen::f16>,
      opgen::Row<opgen::f16, double>, opgen::Row<double, float>, opgen::Row<double, opgen::bf16>,
      opgen::Row<double, opgen::f16>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::rms_norm_scale(opgen::view<RmsNormScaleView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_norm_scale_cpu(const RmsNormScaleArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->invvar})) return opgen::Status::ok;
  return rms_norm_scale_dispatch(*args);
}

static opgen::Status rms_norm_bwd_products_dispatch(const RmsNormBwdProductsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.dy, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<float, opgen::bf16>, opgen::Row<float, opgen::f16>,
      opgen::Row<float, double>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f16>,
      opgen::Row<opgen::bf16, double>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::bf16>, opgen::Row<opgen::f16, opgen::f16>,
      opgen::Row<opgen::f16, double>, opgen::Row<double, float>, opgen::Row<double, opgen::bf16>,
      opgen::Row<double, opgen::f16>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::rms_norm_bwd_products(opgen::view<RmsNormBwdProductsView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_norm_bwd_products_cpu(
    const RmsNormBwdProductsArgs* args) noexcept {
  if (opgen::all_empty({&args->products})) return opgen::Status::ok;
  return rms_norm_bwd_products_dispatch(*args);
}

static opgen::Status rms_norm_bwd_apply_dispatch(const RmsNormBwdApplyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.dy, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<float, opgen::bf16>, opgen::Row<float, opgen::f16>,
      opgen::Row<float, double>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::bf16, opgen::f16>,
      opgen::Row<opgen::bf16, double>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::bf16>, opgen::Row<opgen::f16, opgen::f16>,
      opgen::Row<opgen::f16, double>, opgen::Row<double, float>, opgen::Row<double, opgen::bf16>,
      opgen::Row<double, opgen::f16>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::rms_norm_bwd_apply(opgen::view<RmsNormBwdApplyView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_norm_bwd_apply_cpu(
    const RmsNormBwdApplyArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight})) return opgen::Status::ok;
  return rms_norm_bwd_apply_dispatch(*args);
}

}  // namespace generated
