// The cuda kernels of the quantize_fp8 family, one instance for each combination of dtypes.
// Rendered by opgen from quantize_fp8.toml.
#include "quantize_fp8.h"

#include "opgen/cuda.h"
#include "quantize_fp8/quantize_fp8_cuda.cu"

namespace generated {

static opgen::Status quantize_fp8_dispatch(const QuantizeFp8Args& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.x});
  const opgen::ElementType out_dtype_ = opgen::dtype_of({&args.q});
  switch (opgen::row(T_, out_dtype_)) {
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F8E4M3):
      return cuda::quantize_fp8(QuantizeFp8View<opgen::bf16, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::BF16, opgen::ElementType::F8E5M2):
      return cuda::quantize_fp8(QuantizeFp8View<opgen::bf16, opgen::f8e5m2>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F8E4M3):
      return cuda::quantize_fp8(QuantizeFp8View<opgen::f16, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::F16, opgen::ElementType::F8E5M2):
      return cuda::quantize_fp8(QuantizeFp8View<opgen::f16, opgen::f8e5m2>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F8E4M3):
      return cuda::quantize_fp8(QuantizeFp8View<float, opgen::f8e4m3>(args));
    case opgen::row(opgen::ElementType::F32, opgen::ElementType::F8E5M2):
      return cuda::quantize_fp8(QuantizeFp8View<float, opgen::f8e5m2>(args));
    default:
      return opgen::Status::no_kernel;
  }
}

extern "C" opgen::Status generated_quantize_fp8_cuda(const QuantizeFp8Args* args) noexcept {
  if (opgen::all_empty({&args->q, &args->scale})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return quantize_fp8_dispatch(*args);
}

}  // namespace generated
