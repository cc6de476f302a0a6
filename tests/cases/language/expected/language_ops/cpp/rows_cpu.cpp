// The cpu kernels of the rows family, one instance for each combination of dtypes.
// Rendered by opgen from rows.toml.
#include "rows.h"

#include "rows/rows.cpp"

namespace language_ops {

static opgen::Status unit_rows_dispatch(const UnitRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.length, &args.x, &args.weight});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::unit_rows(opgen::view<UnitRowsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_unit_rows_cpu(const UnitRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->y, &args->length})) return opgen::Status::ok;
  return unit_rows_dispatch(*args);
}

static opgen::Status unit_rows_dx_dispatch(const UnitRowsDxArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dx, &args.dy, &args.x, &args.weight, &args.length});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::unit_rows_dx(opgen::view<UnitRowsDxView>(row, args));
  });
}

extern "C" opgen::Status language_ops_unit_rows_dx_cpu(const UnitRowsDxArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return unit_rows_dx_dispatch(*args);
}

static opgen::Status unit_rows_dw_dispatch(const UnitRowsDwArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dy, &args.x, &args.length});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::unit_rows_dw(opgen::view<UnitRowsDwView>(row, args));
  });
}

extern "C" opgen::Status language_ops_unit_rows_dw_cpu(const UnitRowsDwArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight})) return opgen::Status::ok;
  return unit_rows_dw_dispatch(*args);
}

}  // namespace language_ops
