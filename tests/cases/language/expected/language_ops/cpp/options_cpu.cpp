// The cpu kernels of the options family, one instance for each combination of dtypes.
// Rendered by opgen from options.toml.
#include "options.h"

#include "options/options.cpp"

namespace language_ops {

static opgen::Status polynomial_dispatch(const PolynomialArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::polynomial(opgen::view<PolynomialView>(row, args));
  });
}

extern "C" opgen::Status language_ops_polynomial_cpu(const PolynomialArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return polynomial_dispatch(*args);
}

}  // namespace language_ops
