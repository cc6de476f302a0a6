// The cpu kernels of the tensor_add family, one instance for each combination of dtypes.
// Rendered by opgen from tensor_add.toml.
#include "tensor_add.h"

#include "opgen/grid.h"
#include "tensor_add/tensor_add_cpu.cpp"

namespace generated {

static opgen::Status tensor_add_dispatch(const TensorAddArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.c, &args.a, &args.b});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::tensor_add(TensorAddView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::tensor_add(TensorAddView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::tensor_add(TensorAddView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::tensor_add(TensorAddView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
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
