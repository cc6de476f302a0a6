// The cpu kernels of the linear_cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from linear_cross_entropy.toml.
#include "linear_cross_entropy.h"

#include "linear_cross_entropy/linear_cross_entropy_cpu.cpp"

namespace generated {

static opgen::Status linear_cross_entropy_dispatch(const LinearCrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.hidden, &args.weight});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::linear_cross_entropy(opgen::view<LinearCrossEntropyView>(row, args));
  });
}

extern "C" opgen::Status generated_linear_cross_entropy_cpu(
    const LinearCrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->log_sum, &args->count})) {
    return opgen::Status::ok;
  }
  return linear_cross_entropy_dispatch(*args);
}

static opgen::Status linear_cross_entropy_bwd_dispatch(
    const LinearCrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.hidden, &args.weight});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::linear_cross_entropy_bwd(opgen::view<LinearCrossEntropyBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_linear_cross_entropy_bwd_cpu(
    const LinearCrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dhidden, &args->dweight})) return opgen::Status::ok;
  return linear_cross_entropy_bwd_dispatch(*args);
}

static opgen::Status linear_cross_entropy_terms_dispatch(
    const LinearCrossEntropyTermsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.hidden, &args.weight});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::linear_cross_entropy_terms(opgen::view<LinearCrossEntropyTermsView>(row, args));
  });
}

extern "C" opgen::Status generated_linear_cross_entropy_terms_cpu(
    const LinearCrossEntropyTermsArgs* args) noexcept {
  if (opgen::all_empty({&args->top, &args->total, &args->at_label})) return opgen::Status::ok;
  return linear_cross_entropy_terms_dispatch(*args);
}

static opgen::Status linear_cross_entropy_loss_dispatch(
    const LinearCrossEntropyLossArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.hidden});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::linear_cross_entropy_loss(opgen::view<LinearCrossEntropyLossView>(row, args));
  });
}

extern "C" opgen::Status generated_linear_cross_entropy_loss_cpu(
    const LinearCrossEntropyLossArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->log_sum, &args->count})) return opgen::Status::ok;
  return linear_cross_entropy_loss_dispatch(*args);
}

static opgen::Status linear_cross_entropy_bwd_part_dispatch(
    const LinearCrossEntropyBwdPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.hidden, &args.weight});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::linear_cross_entropy_bwd_part(
        opgen::view<LinearCrossEntropyBwdPartView>(row, args));
  });
}

extern "C" opgen::Status generated_linear_cross_entropy_bwd_part_cpu(
    const LinearCrossEntropyBwdPartArgs* args) noexcept {
  if (opgen::all_empty({&args->dhidden, &args->dweight})) return opgen::Status::ok;
  return linear_cross_entropy_bwd_part_dispatch(*args);
}

}  // namespace generated
