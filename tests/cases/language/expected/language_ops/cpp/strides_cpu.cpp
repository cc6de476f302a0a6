// The cpu kernels of the strides family, one instance for each combination of dtypes.
// Rendered by opgen from strides.toml.
#include "strides.h"

#include "strides/strides.cpp"

namespace language_ops {

static opgen::Status square_dispatch(const SquareArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::square(SquareView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::square(SquareView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_square_cpu(const SquareArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return square_dispatch(*args);
}

static opgen::Status head_norms_dispatch(const HeadNormsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.norms, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::head_norms(HeadNormsView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::head_norms(HeadNormsView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_head_norms_cpu(const HeadNormsArgs* args) noexcept {
  if (opgen::all_empty({&args->norms})) return opgen::Status::ok;
  return head_norms_dispatch(*args);
}

static opgen::Status pad_rows_dispatch(const PadRowsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::pad_rows(PadRowsView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::pad_rows(PadRowsView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_pad_rows_cpu(const PadRowsArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return pad_rows_dispatch(*args);
}

static opgen::Status scale_all_dispatch(const ScaleAllArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.ys, &args.xs, &args.factor});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::scale_all(ScaleAllView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::scale_all(ScaleAllView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status language_ops_scale_all_cpu(const ScaleAllArgs* args) noexcept {
  if (opgen::all_empty({&args->ys})) return opgen::Status::ok;
  return scale_all_dispatch(*args);
}

}  // namespace language_ops
