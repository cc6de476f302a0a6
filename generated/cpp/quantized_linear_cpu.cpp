// The cpu kernels of the quantized_linear family, one instance for each combination of dtypes.
// Rendered by opgen from quantized_linear.toml.
#include "quantized_linear.h"

#include "quantized_linear/quantized_linear_cpu.cpp"

namespace generated {

static opgen::Status int8_linear_dispatch(const Int8LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale});
  switch (opgen::row(T_, S_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::int8_linear(Int8LinearView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::int8_linear(Int8LinearView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::int8_linear(Int8LinearView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::int8_linear(Int8LinearView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::int8_linear(Int8LinearView<opgen::f16, opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int8_linear_cpu(const Int8LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return int8_linear_dispatch(*args);
}

static opgen::Status int8_linear_dgrad_dispatch(const Int8LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale});
  switch (opgen::row(T_, S_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::int8_linear_dgrad(Int8LinearDgradView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::int8_linear_dgrad(Int8LinearDgradView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::int8_linear_dgrad(Int8LinearDgradView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::int8_linear_dgrad(Int8LinearDgradView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::int8_linear_dgrad(Int8LinearDgradView<opgen::f16, opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int8_linear_dgrad_cpu(const Int8LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return int8_linear_dgrad_dispatch(*args);
}

static opgen::Status int4_linear_dispatch(const Int4LinearArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale, &args.zero});
  switch (opgen::row(T_, S_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::int4_linear(Int4LinearView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::int4_linear(Int4LinearView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::int4_linear(Int4LinearView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::int4_linear(Int4LinearView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::int4_linear(Int4LinearView<opgen::f16, opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int4_linear_cpu(const Int4LinearArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return int4_linear_dispatch(*args);
}

static opgen::Status int4_linear_dgrad_dispatch(const Int4LinearDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy});
  const opgen::ElementType S_ = opgen::dtype_of({&args.scale, &args.zero});
  switch (opgen::row(T_, S_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::int4_linear_dgrad(Int4LinearDgradView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::int4_linear_dgrad(Int4LinearDgradView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::int4_linear_dgrad(Int4LinearDgradView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::int4_linear_dgrad(Int4LinearDgradView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::int4_linear_dgrad(Int4LinearDgradView<opgen::f16, opgen::f16>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_int4_linear_dgrad_cpu(const Int4LinearDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return int4_linear_dgrad_dispatch(*args);
}

}  // namespace generated
