// The cpu kernels of the results family, one instance for each combination of dtypes.
// Rendered by opgen from results.toml.
#include "results.h"

#include "results/results.cpp"

namespace language_ops {

static opgen::Status moments_dispatch(const MomentsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.mean, &args.variance, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      if (args.ctx->symbol == 0) return cpu::moments(MomentsView<float>(args));
      return cpu::means(MomentsView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      if (args.ctx->symbol == 0) return cpu::moments(MomentsView<double>(args));
      return cpu::means(MomentsView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_moments_cpu(const MomentsArgs* args) noexcept {
  if (opgen::all_empty({&args->mean, &args->variance})) return opgen::Status::ok;
  return moments_dispatch(*args);
}

}  // namespace language_ops
