// The cuda kernels of the weighted_cross_entropy family, one instance for each combination of
// dtypes.
// Rendered by opgen from weighted_cross_entropy.toml.
#include "weighted_cross_entropy.h"

#include "opgen/cuda.h"
#include "weighted_cross_entropy/weighted_cross_entropy_cuda.cu"

namespace generated {

static opgen::Status weighted_cross_entropy_dispatch(
    const WeightedCrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::weighted_cross_entropy(opgen::view<WeightedCrossEntropyView>(row, args));
  });
}

extern "C" opgen::Status generated_weighted_cross_entropy_cuda(
    const WeightedCrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->mass, &args->count})) {
    return opgen::Status::ok;
  }
  const opgen::DeviceGuard guard(args->ctx->device);
  return weighted_cross_entropy_dispatch(*args);
}

static opgen::Status weighted_cross_entropy_bwd_dispatch(
    const WeightedCrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::weighted_cross_entropy_bwd(opgen::view<WeightedCrossEntropyBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_weighted_cross_entropy_bwd_cuda(
    const WeightedCrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return weighted_cross_entropy_bwd_dispatch(*args);
}

static opgen::Status soft_cross_entropy_dispatch(const SoftCrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits, &args.target});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::soft_cross_entropy(opgen::view<SoftCrossEntropyView>(row, args));
  });
}

extern "C" opgen::Status generated_soft_cross_entropy_cuda(
    const SoftCrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->mass})) {
    return opgen::Status::ok;
  }
  const opgen::DeviceGuard guard(args->ctx->device);
  return soft_cross_entropy_dispatch(*args);
}

static opgen::Status soft_cross_entropy_bwd_dispatch(const SoftCrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dlogits, &args.dtarget, &args.logits, &args.target});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::soft_cross_entropy_bwd(opgen::view<SoftCrossEntropyBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_soft_cross_entropy_bwd_cuda(
    const SoftCrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits, &args->dtarget})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return soft_cross_entropy_bwd_dispatch(*args);
}

}  // namespace generated
