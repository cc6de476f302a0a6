// The cpu kernels of the optimizers family, one instance for each combination of dtypes.
// Rendered by opgen from optimizers.toml.
#include "optimizers.h"

#include "optimizers/optimizers.cpp"

namespace language_ops {

static opgen::Status momentum__dispatch(const Momentum_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.params, &args.grads, &args.momenta});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::momentum_(Momentum_View<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::momentum_(Momentum_View<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_momentum__cpu(const Momentum_Args* args) noexcept {
  if (opgen::all_empty({&args->params, &args->momenta})) return opgen::Status::ok;
  return momentum__dispatch(*args);
}

}  // namespace language_ops
