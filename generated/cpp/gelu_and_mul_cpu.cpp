// The cpu kernels of the gelu_and_mul family, one instance for each combination of dtypes.
// Rendered by opgen from gelu_and_mul.toml.
#include "gelu_and_mul.h"

#include "gelu_and_mul/gelu_and_mul_cpu.cpp"

namespace generated {

static opgen::Status gelu_and_mul_dispatch(const GeluAndMulArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::gelu_and_mul(GeluAndMulView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::gelu_and_mul(GeluAndMulView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::gelu_and_mul(GeluAndMulView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::gelu_and_mul(GeluAndMulView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_gelu_and_mul_cpu(const GeluAndMulArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return gelu_and_mul_dispatch(*args);
}

static opgen::Status gelu_and_mul_bwd_dispatch(const GeluAndMulBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::gelu_and_mul_bwd(GeluAndMulBwdView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::gelu_and_mul_bwd(GeluAndMulBwdView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::gelu_and_mul_bwd(GeluAndMulBwdView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::gelu_and_mul_bwd(GeluAndMulBwdView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_gelu_and_mul_bwd_cpu(const GeluAndMulBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return gelu_and_mul_bwd_dispatch(*args);
}

static opgen::Status geglu_dispatch(const GegluArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.gate, &args.up});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::geglu(GegluView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::geglu(GegluView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::geglu(GegluView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::geglu(GegluView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_geglu_cpu(const GegluArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return geglu_dispatch(*args);
}

static opgen::Status geglu_bwd_dispatch(const GegluBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dgate, &args.dup, &args.dy, &args.gate, &args.up});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::geglu_bwd(GegluBwdView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::geglu_bwd(GegluBwdView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::geglu_bwd(GegluBwdView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::geglu_bwd(GegluBwdView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_geglu_bwd_cpu(const GegluBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dgate, &args->dup})) return opgen::Status::ok;
  return geglu_bwd_dispatch(*args);
}

}  // namespace generated
