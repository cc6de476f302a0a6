// The cpu kernels of the layer_norm family, one instance for each combination of dtypes.
// Rendered by opgen from layer_norm.toml.
#include "layer_norm.h"

#include "layer_norm/layer_norm_cpu.cpp"

namespace generated {

static opgen::Status layer_norm_dispatch(const LayerNormArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight, &args.bias});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::layer_norm(opgen::view<LayerNormView>(row, args));
  });
}

extern "C" opgen::Status generated_layer_norm_cpu(const LayerNormArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->mean, &args->rstd})) return opgen::Status::ok;
  return layer_norm_dispatch(*args);
}

static opgen::Status layer_norm_bwd_dispatch(const LayerNormBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::layer_norm_bwd(opgen::view<LayerNormBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_layer_norm_bwd_cpu(const LayerNormBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight, &args->dbias})) return opgen::Status::ok;
  return layer_norm_bwd_dispatch(*args);
}

static opgen::Status layer_norm_mean_dispatch(const LayerNormMeanArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::layer_norm_mean(opgen::view<LayerNormMeanView>(row, args));
  });
}

extern "C" opgen::Status generated_layer_norm_mean_cpu(const LayerNormMeanArgs* args) noexcept {
  if (opgen::all_empty({&args->mean})) return opgen::Status::ok;
  return layer_norm_mean_dispatch(*args);
}

static opgen::Status layer_norm_variance_dispatch(const LayerNormVarianceArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::layer_norm_variance(opgen::view<LayerNormVarianceView>(row, args));
  });
}

extern "C" opgen::Status generated_layer_norm_variance_cpu(
    const LayerNormVarianceArgs* args) noexcept {
  if (opgen::all_empty({&args->variance})) return opgen::Status::ok;
  return layer_norm_variance_dispatch(*args);
}

static opgen::Status layer_norm_scale_dispatch(const LayerNormScaleArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight, &args.bias});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::layer_norm_scale(opgen::view<LayerNormScaleView>(row, args));
  });
}

extern "C" opgen::Status generated_layer_norm_scale_cpu(const LayerNormScaleArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->rstd})) return opgen::Status::ok;
  return layer_norm_scale_dispatch(*args);
}

static opgen::Status layer_norm_bwd_means_dispatch(const LayerNormBwdMeansArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dy, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::layer_norm_bwd_means(opgen::view<LayerNormBwdMeansView>(row, args));
  });
}

extern "C" opgen::Status generated_layer_norm_bwd_means_cpu(
    const LayerNormBwdMeansArgs* args) noexcept {
  if (opgen::all_empty({&args->g_mean, &args->gh_mean})) return opgen::Status::ok;
  return layer_norm_bwd_means_dispatch(*args);
}

static opgen::Status layer_norm_bwd_apply_dispatch(const LayerNormBwdApplyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weight});
  using Table = opgen::Table<
      opgen::Row<float, float>, opgen::Row<opgen::bf16, float>,
      opgen::Row<opgen::bf16, opgen::bf16>, opgen::Row<opgen::f16, float>,
      opgen::Row<opgen::f16, opgen::f16>, opgen::Row<double, float>, opgen::Row<double, double>>;
  return Table::dispatch(opgen::row(T_, W_), [&](auto row) {
    return cpu::layer_norm_bwd_apply(opgen::view<LayerNormBwdApplyView>(row, args));
  });
}

extern "C" opgen::Status generated_layer_norm_bwd_apply_cpu(
    const LayerNormBwdApplyArgs* args) noexcept {
  if (opgen::all_empty({&args->dx, &args->dweight, &args->dbias})) return opgen::Status::ok;
  return layer_norm_bwd_apply_dispatch(*args);
}

}  // namespace generated
