// The cpu kernels of the rotary family, one instance for each combination of dtypes.
// Rendered by opgen from rotary.toml.
#include "rotary.h"

#include "rotary/rotary_cpu.cpp"

namespace generated {

static opgen::Status rotary_dispatch(const RotaryArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q_out, &args.k_out, &args.q, &args.k});
  const opgen::ElementType C_ = opgen::dtype_of({&args.cos_sin});
  switch (opgen::row(T_, C_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rotary(RotaryView<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::BF16):
      return cpu::rotary(RotaryView<float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F16):
      return cpu::rotary(RotaryView<float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F64):
      return cpu::rotary(RotaryView<float, double>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::rotary(RotaryView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::rotary(RotaryView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F16):
      return cpu::rotary(RotaryView<opgen::bf16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F64):
      return cpu::rotary(RotaryView<opgen::bf16, double>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::rotary(RotaryView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::BF16):
      return cpu::rotary(RotaryView<opgen::f16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::rotary(RotaryView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F64):
      return cpu::rotary(RotaryView<opgen::f16, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cpu::rotary(RotaryView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::BF16):
      return cpu::rotary(RotaryView<double, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F16):
      return cpu::rotary(RotaryView<double, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::rotary(RotaryView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rotary_cpu(const RotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  return rotary_dispatch(*args);
}

static opgen::Status rotary__dispatch(const Rotary_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q, &args.k});
  const opgen::ElementType C_ = opgen::dtype_of({&args.cos_sin});
  switch (opgen::row(T_, C_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::rotary_(Rotary_View<float, float>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::BF16):
      return cpu::rotary_(Rotary_View<float, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F16):
      return cpu::rotary_(Rotary_View<float, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F64):
      return cpu::rotary_(Rotary_View<float, double>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::rotary_(Rotary_View<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::rotary_(Rotary_View<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F16):
      return cpu::rotary_(Rotary_View<opgen::bf16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F64):
      return cpu::rotary_(Rotary_View<opgen::bf16, double>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::rotary_(Rotary_View<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::BF16):
      return cpu::rotary_(Rotary_View<opgen::f16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::rotary_(Rotary_View<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F64):
      return cpu::rotary_(Rotary_View<opgen::f16, double>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cpu::rotary_(Rotary_View<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::BF16):
      return cpu::rotary_(Rotary_View<double, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F16):
      return cpu::rotary_(Rotary_View<double, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::rotary_(Rotary_View<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rotary__cpu(const Rotary_Args* args) noexcept {
  if (opgen::all_empty({&args->q, &args->k})) return opgen::Status::ok;
  return rotary__dispatch(*args);
}

static opgen::Status apply_rotary_dispatch(const ApplyRotaryArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q_out, &args.k_out, &args.q, &args.k});
  const opgen::ElementType C_ = opgen::dtype_of({&args.cos, &args.sin});
  switch (opgen::row(T_, C_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::apply_rotary(ApplyRotaryView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::apply_rotary(ApplyRotaryView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::apply_rotary(ApplyRotaryView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::apply_rotary(ApplyRotaryView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::apply_rotary(ApplyRotaryView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cpu::apply_rotary(ApplyRotaryView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::apply_rotary(ApplyRotaryView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_apply_rotary_cpu(const ApplyRotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  return apply_rotary_dispatch(*args);
}

}  // namespace generated
