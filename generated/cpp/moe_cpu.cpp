// The cpu kernels of the moe family, one instance for each combination of dtypes.
// Rendered by opgen from moe.toml.
#include "moe.h"

#include "moe/moe_cpu.cpp"

namespace generated {

static opgen::Status moe_permute_dispatch(const MoePermuteArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.rows, &args.x});
  const opgen::ElementType I_ = opgen::dtype_of({&args.ids});
  switch (opgen::row(T_, I_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I64):
      return cpu::moe_permute(MoePermuteView<float, int64_t>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::I32):
      return cpu::moe_permute(MoePermuteView<float, int32_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I64):
      return cpu::moe_permute(MoePermuteView<opgen::bf16, int64_t>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::I32):
      return cpu::moe_permute(MoePermuteView<opgen::bf16, int32_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I64):
      return cpu::moe_permute(MoePermuteView<opgen::f16, int64_t>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::I32):
      return cpu::moe_permute(MoePermuteView<opgen::f16, int32_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I64):
      return cpu::moe_permute(MoePermuteView<double, int64_t>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::I32):
      return cpu::moe_permute(MoePermuteView<double, int32_t>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_moe_permute_cpu(const MoePermuteArgs* args) noexcept {
  if (opgen::all_empty({&args->rows, &args->offsets, &args->places})) return opgen::Status::ok;
  return moe_permute_dispatch(*args);
}

static opgen::Status moe_unpermute_dispatch(const MoeUnpermuteArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.y, &args.rows});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weights});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::moe_unpermute(MoeUnpermuteView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::moe_unpermute(MoeUnpermuteView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::moe_unpermute(MoeUnpermuteView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::moe_unpermute(MoeUnpermuteView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::moe_unpermute(MoeUnpermuteView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cpu::moe_unpermute(MoeUnpermuteView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::moe_unpermute(MoeUnpermuteView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_moe_unpermute_cpu(const MoeUnpermuteArgs* args) noexcept {
  if (opgen::all_empty({&args->y})) return opgen::Status::ok;
  return moe_unpermute_dispatch(*args);
}

static opgen::Status moe_unpermute_dgrad_dispatch(const MoeUnpermuteDgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.drows, &args.dy});
  const opgen::ElementType W_ = opgen::dtype_of({&args.weights});
  switch (opgen::row(T_, W_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cpu::moe_unpermute_dgrad(MoeUnpermuteDgradView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cpu::moe_unpermute_dgrad(MoeUnpermuteDgradView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cpu::moe_unpermute_dgrad(MoeUnpermuteDgradView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cpu::moe_unpermute_dgrad(MoeUnpermuteDgradView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cpu::moe_unpermute_dgrad(MoeUnpermuteDgradView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cpu::moe_unpermute_dgrad(MoeUnpermuteDgradView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cpu::moe_unpermute_dgrad(MoeUnpermuteDgradView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_moe_unpermute_dgrad_cpu(
    const MoeUnpermuteDgradArgs* args) noexcept {
  if (opgen::all_empty({&args->drows})) return opgen::Status::ok;
  return moe_unpermute_dgrad_dispatch(*args);
}

static opgen::Status moe_unpermute_wgrad_dispatch(const MoeUnpermuteWgradArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dy, &args.rows});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cpu::moe_unpermute_wgrad(MoeUnpermuteWgradView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cpu::moe_unpermute_wgrad(MoeUnpermuteWgradView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cpu::moe_unpermute_wgrad(MoeUnpermuteWgradView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cpu::moe_unpermute_wgrad(MoeUnpermuteWgradView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_moe_unpermute_wgrad_cpu(
    const MoeUnpermuteWgradArgs* args) noexcept {
  if (opgen::all_empty({&args->dweights})) return opgen::Status::ok;
  return moe_unpermute_wgrad_dispatch(*args);
}

}  // namespace generated
