// The cuda kernels of the tensor_negate family, one instance for each combination of dtypes.
// Rendered by opgen from tensor_negate.toml.
#include "tensor_negate.h"

#include "opgen/cuda.h"
#include "tensor_negate/tensor_negate_cuda.cu"

namespace generated {

static opgen::Status tensor_negate_dispatch(const TensorNegateArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<double>, opgen::Row<int8_t>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::tensor_negate(opgen::view<TensorNegateView>(row, args));
  });
}

extern "C" opgen::Status generated_tensor_negate_cuda(const TensorNegateArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return tensor_negate_dispatch(*args);
}

}  // namespace generated
