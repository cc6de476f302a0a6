// The cpu kernels of the strides family, one instance for each combination of dtypes.
// Rendered by opgen from strides.toml.
#include "strides.h"

#include "strides/strides.cpp"

namespace language_ops {

static opgen::Status square_dispatch(const SquareArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::square(opgen::view<SquareView>(row, args));
  });
}

extern "C" opgen::Status language_ops_square_cpu(const SquareArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return square_dispatch(*args);
}

static opgen::Status head_norms_dispatch(const HeadNormsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.norms, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::head_norms(opgen::view<HeadNormsView>(row, args));
  });
}

extern "C" opgen::Status language_ops_head_norms_cpu(const HeadNormsArgs* args) noexcept {
  if (opgen::all_empty({&args->norms})) return opgen::Status::ok;
  return head_norms_dispatch(*args);
}

static opgen::Status scale_all_dispatch(const ScaleAllArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.ys, &args.xs, &args.factor});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::scale_all(opgen::view<ScaleAllView>(row, args));
  });
}

extern "C" opgen::Status language_ops_scale_all_cpu(const ScaleAllArgs* args) noexcept {
  if (opgen::all_empty({&args->ys})) return opgen::Status::ok;
  return scale_all_dispatch(*args);
}

}  // namespace language_ops
