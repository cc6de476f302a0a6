// The cpu kernels of the conv2d family, one instance for each combination of dtypes.
// Rendered by opgen from conv2d.toml.
#include "conv2d.h"

#include "conv2d/conv2d_cpu.cpp"

namespace generated {

static opgen::Status conv2d_dispatch(const Conv2dArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x, &args.weight, &args.bias});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::conv2d(opgen::view<Conv2dView>(row, args));
  });
}

extern "C" opgen::Status generated_conv2d_cpu(const Conv2dArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return conv2d_dispatch(*args);
}

static opgen::Status conv2d_dgrad_dispatch(const Conv2dDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.weight});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::conv2d_dgrad(opgen::view<Conv2dDgradView>(row, args));
  });
}

extern "C" opgen::Status generated_conv2d_dgrad_cpu(const Conv2dDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return conv2d_dgrad_dispatch(*args);
}

static opgen::Status conv2d_wgrad_dispatch(const Conv2dWgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dweight, &args.dbias, &args.dy, &args.x});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::conv2d_wgrad(opgen::view<Conv2dWgradView>(row, args));
  });
}

extern "C" opgen::Status generated_conv2d_wgrad_cpu(const Conv2dWgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dweight, &args->dbias})) return opgen::Status::ok;
  return conv2d_wgrad_dispatch(*args);
}

}  // namespace generated
