// The cpu kernels of the rms_layer_norm family, one instance for each combination of dtypes.
// Rendered by opgen from rms_layer_norm.toml.
#include "rms_layer_norm.h"

#include "rms_layer_norm/rms_layer_norm_cpu.cpp"

namespace generated {

static opgen::Status rms_layer_norm_dispatch(const RmsLayerNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  const opgen::ElementType Y_ = opgen::dtype_of({&args.y});
  using Table = opgen::Table<
      opgen::Row<float, float, float>, opgen::Row<opgen::bf16, float, opgen::bf16>,
      opgen::Row<opgen::bf16, float, float>, opgen::Row<opgen::bf16, opgen::bf16, opgen::bf16>,
      opgen::Row<opgen::f16, float, opgen::f16>, opgen::Row<opgen::f16, float, float>,
      opgen::Row<opgen::f16, opgen::f16, opgen::f16>, opgen::Row<double, float, double>,
      opgen::Row<double, double, double>>;
  return Table::dispatch(opgen::row(T_, W_, Y_), [&](auto row) {
    return cpu::rms_layer_norm(opgen::view<RmsLayerNormView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_layer_norm_cpu(const RmsLayerNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->rstd})) return opgen::Status::ok;
  return rms_layer_norm_dispatch(*args);
}

static opgen::Status rms_layer_norm_bwd_dispatch(const RmsLayerNormBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  const opgen::ElementType Y_ = opgen::dtype_of({&args.dy});
  using Table = opgen::Table<
      opgen::Row<float, float, float>, opgen::Row<opgen::bf16, float, opgen::bf16>,
      opgen::Row<opgen::bf16, float, float>, opgen::Row<opgen::bf16, opgen::bf16, opgen::bf16>,
      opgen::Row<opgen::f16, float, opgen::f16>, opgen::Row<opgen::f16, float, float>,
      opgen::Row<opgen::f16, opgen::f16, opgen::f16>, opgen::Row<double, float, double>,
      opgen::Row<double, double, double>>;
  return Table::dispatch(opgen::row(T_, W_, Y_), [&](auto row) {
    return cpu::rms_layer_norm_bwd(opgen::view<RmsLayerNormBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_rms_layer_norm_bwd_cpu(
    const RmsLayerNormBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight})) return opgen::Status::ok;
  return rms_layer_norm_bwd_dispatch(*args);
}

}  // namespace generated
