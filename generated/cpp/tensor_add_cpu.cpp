// The cpu kernels of the tensor_add family, one instance for each combination of dtypes.
// Rendered by opgen from tensor_add.toml.
#include "tensor_add.h"

#include "opgen/grid.h"
#include "tensor_add/tensor_add_cpu.cpp"

namespace generated {

static opgen::Status tensor_add_dispatch(const TensorAddArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.c, &args.a, &args.b});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::tensor_add(opgen::view<TensorAddView>(row, args));
  });
}

extern "C" opgen::Status generated_tensor_add_cpu(const TensorAddArgs* args) noexcept {
  if (opgen::all_empty({&args->c})) return opgen::Status::ok;
  return opgen::run_grid(*args->ctx, [args](const opgen::Context& point) {
    TensorAddArgs here = *args;
    here.ctx = &point;
    return tensor_add_dispatch(here);
  });
}

}  // namespace generated
