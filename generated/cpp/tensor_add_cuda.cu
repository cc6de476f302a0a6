// The cuda kernels of the tensor_add family, one instance for each combination of dtypes.
// Rendered by opgen from tensor_add.toml.
#include "tensor_add.h"

#include "opgen/cuda.h"
#include "tensor_add/tensor_add_cuda.cu"

namespace generated {

static opgen::Status tensor_add_dispatch(const TensorAddArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.c, &args.a, &args.b});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::tensor_add(TensorAddView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::tensor_add(TensorAddView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::tensor_add(TensorAddView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::tensor_add(TensorAddView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_tensor_add_cuda(const TensorAddArgs* args) noexcept {
  if (opgen::all_empty({&args->c})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return tensor_add_dispatch(*args);
}

}  // namespace generated
