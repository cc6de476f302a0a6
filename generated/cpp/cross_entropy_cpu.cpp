// The cpu kernels of the cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from cross_entropy.toml.
#include "cross_entropy.h"

#include "cross_entropy/cross_entropy_cpu.cpp"

namespace generated {

static opgen::Status cross_entropy_dispatch(const CrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::cross_entropy(opgen::view<CrossEntropyView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_cpu(const CrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->count})) {
    return opgen::Status::ok;
  }
  return cross_entropy_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_dispatch(const CrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::cross_entropy_bwd(opgen::view<CrossEntropyBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_bwd_cpu(const CrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  return cross_entropy_bwd_dispatch(*args);
}

static opgen::Status cross_entropy_top_dispatch(const CrossEntropyTopArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::cross_entropy_top(opgen::view<CrossEntropyTopView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_top_cpu(const CrossEntropyTopArgs* args) noexcept {
  if (opgen::all_empty({&args->top})) return opgen::Status::ok;
  return cross_entropy_top_dispatch(*args);
}

static opgen::Status cross_entropy_terms_dispatch(const CrossEntropyTermsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::cross_entropy_terms(opgen::view<CrossEntropyTermsView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_terms_cpu(
    const CrossEntropyTermsArgs* args) noexcept {
  if (opgen::all_empty({&args->total, &args->missed, &args->below})) return opgen::Status::ok;
  return cross_entropy_terms_dispatch(*args);
}

static opgen::Status cross_entropy_loss_dispatch(const CrossEntropyLossArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::cross_entropy_loss(opgen::view<CrossEntropyLossView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_loss_cpu(
    const CrossEntropyLossArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->rest, &args->count})) return opgen::Status::ok;
  return cross_entropy_loss_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_part_dispatch(const CrossEntropyBwdPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  const opgen::ElementType I_ = opgen::dtype_of({&args.labels});
  using Table = opgen::Table<
      opgen::Row<float, int64_t>, opgen::Row<float, int32_t>, opgen::Row<opgen::bf16, int64_t>,
      opgen::Row<opgen::bf16, int32_t>, opgen::Row<opgen::f16, int64_t>,
      opgen::Row<opgen::f16, int32_t>, opgen::Row<double, int64_t>, opgen::Row<double, int32_t>>;
  return Table::dispatch(opgen::row(T_, I_), [&](auto row) {
    return cpu::cross_entropy_bwd_part(opgen::view<CrossEntropyBwdPartView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_bwd_part_cpu(
    const CrossEntropyBwdPartArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  return cross_entropy_bwd_part_dispatch(*args);
}

}  // namespace generated
