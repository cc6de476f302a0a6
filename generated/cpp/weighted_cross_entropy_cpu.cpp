// The cpu kernels of the weighted_cross_entropy family, one instance for each combination of
// dtypes.
// Rendered by opgen from weighted_cross_entropy.toml.
#include "weighted_cross_entropy.h"

#include "weighted_cross_entropy/weighted_cross_entropy_cpu.cpp"

namespace generated {

static opgen::Status weighted_cross_entropy_dispatch(
    const WeightedCrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  const WeightedCrossEntropyCpuTune& tune = generated_weighted_cross_entropy_cpu_tuned.at(
      args.ctx->device, args.ctx->threads, opgen::row(T_),
      {args.desc->outer, args.desc->c, args.desc->inner});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::weighted_cross_entropy(opgen::view<WeightedCrossEntropyCpuView>(row, args, tune));
  });
}

extern "C" opgen::Status generated_weighted_cross_entropy_cpu(
    const WeightedCrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->mass, &args->count})) {
    return opgen::Status::ok;
  }
  return weighted_cross_entropy_dispatch(*args);
}

static opgen::Status weighted_cross_entropy_bwd_dispatch(
    const WeightedCrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::weighted_cross_entropy_bwd(opgen::view<WeightedCrossEntropyBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_weighted_cross_entropy_bwd_cpu(
    const WeightedCrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  return weighted_cross_entropy_bwd_dispatch(*args);
}

static opgen::Status soft_cross_entropy_dispatch(const SoftCrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits, &args.target});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::soft_cross_entropy(opgen::view<SoftCrossEntropyView>(row, args));
  });
}

extern "C" opgen::Status generated_soft_cross_entropy_cpu(
    const SoftCrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->mass})) {
    return opgen::Status::ok;
  }
  return soft_cross_entropy_dispatch(*args);
}

static opgen::Status soft_cross_entropy_bwd_dispatch(const SoftCrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dlogits, &args.dtarget, &args.logits, &args.target});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::soft_cross_entropy_bwd(opgen::view<SoftCrossEntropyBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_soft_cross_entropy_bwd_cpu(
    const SoftCrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits, &args->dtarget})) return opgen::Status::ok;
  return soft_cross_entropy_bwd_dispatch(*args);
}

static opgen::Status class_top_dispatch(const ClassTopArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::class_top(opgen::view<ClassTopView>(row, args));
  });
}

extern "C" opgen::Status generated_class_top_cpu(const ClassTopArgs* args) noexcept {
  if (opgen::all_empty({&args->top})) return opgen::Status::ok;
  return class_top_dispatch(*args);
}

static opgen::Status class_total_dispatch(const ClassTotalArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::class_total(opgen::view<ClassTotalView>(row, args));
  });
}

extern "C" opgen::Status generated_class_total_cpu(const ClassTotalArgs* args) noexcept {
  if (opgen::all_empty({&args->total})) return opgen::Status::ok;
  return class_total_dispatch(*args);
}

static opgen::Status soft_cross_entropy_part_dispatch(
    const SoftCrossEntropyPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits, &args.target});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::soft_cross_entropy_part(opgen::view<SoftCrossEntropyPartView>(row, args));
  });
}

extern "C" opgen::Status generated_soft_cross_entropy_part_cpu(
    const SoftCrossEntropyPartArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->rest, &args->mass})) return opgen::Status::ok;
  return soft_cross_entropy_part_dispatch(*args);
}

static opgen::Status soft_cross_entropy_bwd_part_dispatch(
    const SoftCrossEntropyBwdPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dlogits, &args.dtarget, &args.logits, &args.target});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::soft_cross_entropy_bwd_part(opgen::view<SoftCrossEntropyBwdPartView>(row, args));
  });
}

extern "C" opgen::Status generated_soft_cross_entropy_bwd_part_cpu(
    const SoftCrossEntropyBwdPartArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits, &args->dtarget})) return opgen::Status::ok;
  return soft_cross_entropy_bwd_part_dispatch(*args);
}

static opgen::Status weighted_cross_entropy_total_dispatch(
    const WeightedCrossEntropyTotalArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::weighted_cross_entropy_total(opgen::view<WeightedCrossEntropyTotalView>(row, args));
  });
}

extern "C" opgen::Status generated_weighted_cross_entropy_total_cpu(
    const WeightedCrossEntropyTotalArgs* args) noexcept {
  if (opgen::all_empty({&args->total, &args->count})) return opgen::Status::ok;
  return weighted_cross_entropy_total_dispatch(*args);
}

static opgen::Status weighted_cross_entropy_part_dispatch(
    const WeightedCrossEntropyPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::weighted_cross_entropy_part(opgen::view<WeightedCrossEntropyPartView>(row, args));
  });
}

extern "C" opgen::Status generated_weighted_cross_entropy_part_cpu(
    const WeightedCrossEntropyPartArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->rest, &args->mass})) return opgen::Status::ok;
  return weighted_cross_entropy_part_dispatch(*args);
}

static opgen::Status weighted_cross_entropy_bwd_part_dispatch(
    const WeightedCrossEntropyBwdPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::weighted_cross_entropy_bwd_part(
        opgen::view<WeightedCrossEntropyBwdPartView>(row, args));
  });
}

extern "C" opgen::Status generated_weighted_cross_entropy_bwd_part_cpu(
    const WeightedCrossEntropyBwdPartArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  return weighted_cross_entropy_bwd_part_dispatch(*args);
}

}  // namespace generated
