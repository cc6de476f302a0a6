// The cpu kernels of the windows family, one instance for each combination of dtypes.
// Rendered by opgen from windows.toml.
#include "windows.h"

#include "windows/windows.cpp"

namespace language_ops {

static opgen::Status window_sums_dispatch(const WindowSumsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.sums, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::window_sums(opgen::view<WindowSumsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_window_sums_cpu(const WindowSumsArgs* args) noexcept {
  if (opgen::all_empty({&args->sums})) return opgen::Status::ok;
  return window_sums_dispatch(*args);
}

}  // namespace language_ops
