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

static opgen::Status split_rows_dispatch(const SplitRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.parts, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::split_rows(SplitRowsView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::split_rows(SplitRowsView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_split_rows_cpu(const SplitRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->parts})) return opgen::Status::ok;
  return split_rows_dispatch(*args);
}

static opgen::Status accumulate_dispatch(const AccumulateArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.sum, &args.total, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::accumulate(AccumulateView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::accumulate(AccumulateView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_accumulate_cpu(const AccumulateArgs* args) noexcept {
  if (opgen::all_empty({&args->sum, &args->total})) return opgen::Status::ok;
  return accumulate_dispatch(*args);
}

}  // namespace language_ops
