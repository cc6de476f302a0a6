// The cpu kernels of the tensor_negate family, one instance for each combination of dtypes.
// Rendered by opgen from tensor_negate.toml.
#include "tensor_negate.h"

#include "tensor_negate/tensor_negate_cpu.cpp"

namespace generated {

static opgen::Status tensor_negate_dispatch(const TensorNegateArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>, opgen::Row<int8_t>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::tensor_negate(opgen::view<TensorNegateView>(row, args));
  });
}

extern "C" opgen::Status generated_tensor_negate_cpu(const TensorNegateArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return tensor_negate_dispatch(*args);
}

}  // namespace generated
