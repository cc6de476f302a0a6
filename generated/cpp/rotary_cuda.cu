// The cuda kernels of the rotary family, one instance for each combination of dtypes.
// Rendered by opgen from rotary.toml.
#include "rotary.h"

#include "opgen/cuda.h"
#include "rotary/rotary_cuda.cu"

namespace generated {

static opgen::Status rotary_dispatch(const RotaryArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q_out, &args.k_out, &args.q, &args.k});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::rotary(RotaryCudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::rotary(RotaryCudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::rotary(RotaryCudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::rotary(RotaryCudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rotary_cuda(const RotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rotary_dispatch(*args);
}

static opgen::Status rotary__dispatch(const Rotary_Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q, &args.k});
  switch (opgen::row(T_)) {
    case opgen::row(opgen::ElementType::F32):
      return cuda::rotary_(Rotary_CudaView<float>(args));
    case opgen::row(opgen::ElementType::BF16):
      return cuda::rotary_(Rotary_CudaView<opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16):
      return cuda::rotary_(Rotary_CudaView<opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64):
      return cuda::rotary_(Rotary_CudaView<double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_rotary__cuda(const Rotary_Args* args) noexcept {
  if (opgen::all_empty({&args->q, &args->k})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return rotary__dispatch(*args);
}

static opgen::Status apply_rotary_dispatch(const ApplyRotaryArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.q_out, &args.k_out, &args.q, &args.k});
  const opgen::ElementType C_ = opgen::dtype_of({&args.cos, &args.sin});
  switch (opgen::row(T_, C_)) {
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F32):
      return cuda::apply_rotary(ApplyRotaryView<float, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F32):
      return cuda::apply_rotary(ApplyRotaryView<opgen::bf16, float>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::BF16):
      return cuda::apply_rotary(ApplyRotaryView<opgen::bf16, opgen::bf16>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F32):
      return cuda::apply_rotary(ApplyRotaryView<opgen::f16, float>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F16):
      return cuda::apply_rotary(ApplyRotaryView<opgen::f16, opgen::f16>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F32):
      return cuda::apply_rotary(ApplyRotaryView<double, float>(args));
    case opgen::row(opgen::ElementType::F64, opgen::ElementType::F64):
      return cuda::apply_rotary(ApplyRotaryView<double, double>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_apply_rotary_cuda(const ApplyRotaryArgs* args) noexcept {
  if (opgen::all_empty({&args->q_out, &args->k_out})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return apply_rotary_dispatch(*args);
}

}  // namespace generated
