// The cpu kernels of the results family, one instance for each combination of dtypes.
// Rendered by opgen from results.toml.
#include "results.h"

#include "results/results.cpp"

namespace language_ops {

static opgen::Status moments_dispatch(const MomentsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.mean, &args.variance, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    if (args.ctx->symbol == 0) return cpu::moments(opgen::view<MomentsView>(row, args));
    return cpu::means(opgen::view<MomentsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_moments_cpu(const MomentsArgs* args) noexcept {
  if (opgen::all_empty({&args->mean, &args->variance})) return opgen::Status::ok;
  return moments_dispatch(*args);
}

static opgen::Status split_rows_dispatch(const SplitRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.parts, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::split_rows(opgen::view<SplitRowsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_split_rows_cpu(const SplitRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->parts})) return opgen::Status::ok;
  return split_rows_dispatch(*args);
}

static opgen::Status accumulate_dispatch(const AccumulateArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.sum, &args.total, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::accumulate(opgen::view<AccumulateView>(row, args));
  });
}

extern "C" opgen::Status language_ops_accumulate_cpu(const AccumulateArgs* args) noexcept {
  if (opgen::all_empty({&args->sum, &args->total})) return opgen::Status::ok;
  return accumulate_dispatch(*args);
}

}  // namespace language_ops
