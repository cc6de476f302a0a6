// The cuda kernels of the tensor_negate family, one instance for each combination of dtypes.
// Rendered by opgen from tensor_negate.toml.
#include "tensor_negate.h"

#include "opgen/cuda.h"
#include "tensor_negate/tensor_negate_cuda.cu"

namespace generated {

static opgen::Status tensor_negate_dispatch(const TensorNegateArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::tensor_negate(TensorNegateView<float>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::tensor_negate(TensorNegateView<double>(args));
    case opgen::row(opgen::ElementType::I8):
      return cuda::tensor_negate(TensorNegateView<int8_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_tensor_negate_cuda(const TensorNegateArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return tensor_negate_dispatch(*args);
}

}  // namespace generated
