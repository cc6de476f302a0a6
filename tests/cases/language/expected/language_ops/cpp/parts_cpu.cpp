// The cpu kernels of the parts family, one instance for each combination of dtypes.
// Rendered by opgen from parts.toml.
#include "parts.h"

#include "parts/parts.cpp"

namespace language_ops {

static opgen::Status column_totals_dispatch(const ColumnTotalsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.sums, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::column_totals(opgen::view<ColumnTotalsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_column_totals_cpu(const ColumnTotalsArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->sums})) return opgen::Status::ok;
  return column_totals_dispatch(*args);
}

}  // namespace language_ops
