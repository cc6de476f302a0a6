// The cpu kernels of the silu_and_mul family, one instance for each combination of dtypes.
// Rendered by opgen from silu_and_mul.toml.
#include "silu_and_mul.h"

#include "silu_and_mul/silu_and_mul_cpu.cpp"

namespace generated {

static opgen::Status silu_and_mul_dispatch(const SiluAndMulArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::silu_and_mul(SiluAndMulView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::silu_and_mul(SiluAndMulView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::silu_and_mul(SiluAndMulView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::silu_and_mul(SiluAndMulView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_silu_and_mul_cpu(const SiluAndMulArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return silu_and_mul_dispatch(*args);
}

static opgen::Status silu_and_mul_bwd_dispatch(const SiluAndMulBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dx, &args.dy, &args.x});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::silu_and_mul_bwd(SiluAndMulBwdView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::silu_and_mul_bwd(SiluAndMulBwdView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::silu_and_mul_bwd(SiluAndMulBwdView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::silu_and_mul_bwd(SiluAndMulBwdView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_silu_and_mul_bwd_cpu(const SiluAndMulBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dx})) return opgen::Status::ok;
  return silu_and_mul_bwd_dispatch(*args);
}

static opgen::Status swiglu_dispatch(const SwigluArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.gate, &args.up});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::swiglu(SwigluView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::swiglu(SwigluView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::swiglu(SwigluView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::swiglu(SwigluView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_swiglu_cpu(const SwigluArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return swiglu_dispatch(*args);
}

static opgen::Status swiglu_bwd_dispatch(const SwigluBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of(
      {&args.dgate, &args.dup, &args.dy, &args.gate, &args.up});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::swiglu_bwd(SwigluBwdView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::swiglu_bwd(SwigluBwdView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::swiglu_bwd(SwigluBwdView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::swiglu_bwd(SwigluBwdView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_swiglu_bwd_cpu(const SwigluBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dgate, &args->dup})) return opgen::Status::ok;
  return swiglu_bwd_dispatch(*args);
}

}  // namespace generated
