// The cuda kernels of the dropout family, one instance for each combination of dtypes.
// Rendered by opgen from dropout.toml.
#include "dropout.h"

#include "opgen/cuda.h"
#include "dropout/dropout_cuda.cu"

namespace generated {

static opgen::Status dropout_dispatch(const DropoutArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::dropout(DropoutView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::dropout(DropoutView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::dropout(DropoutView<opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_dropout_cuda(const DropoutArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return dropout_dispatch(*args);
}

}  // namespace generated
