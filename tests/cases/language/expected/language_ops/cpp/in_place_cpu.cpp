// The cpu kernels of the in_place family, one instance for each combination of dtypes.
// Rendered by opgen from in_place.toml.
#include "in_place.h"

#include "in_place/in_place.cpp"

namespace language_ops {

static opgen::Status average__dispatch(const Average_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.averages, &args.values});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::average_(opgen::view<Average_View>(row, args));
  });
}

extern "C" opgen::Status language_ops_average__cpu(const Average_Args* args) noexcept {
  if (opgen::all_empty({&args->averages})) return opgen::Status::ok;
  return average__dispatch(*args);
}

}  // namespace language_ops
