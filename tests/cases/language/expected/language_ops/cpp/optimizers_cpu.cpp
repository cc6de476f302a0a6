// The cpu kernels of the optimizers family, one instance for each combination of dtypes.
// Rendered by opgen from optimizers.toml.
#include "optimizers.h"

#include "optimizers/optimizers.cpp"

namespace language_ops {

static opgen::Status momentum__dispatch(const Momentum_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.params, &args.grads, &args.momenta});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::momentum_(opgen::view<Momentum_View>(row, args));
  });
}

extern "C" opgen::Status language_ops_momentum__cpu(const Momentum_Args* args) noexcept {
  if (opgen::all_empty({&args->params, &args->momenta})) return opgen::Status::ok;
  return momentum__dispatch(*args);
}

}  // namespace language_ops
